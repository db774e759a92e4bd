// Goroutines, channels, mutexes and the garbage collector under stress.
//# timeout: 40
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type node struct {
	left, right *node
	pad         [4]uint64
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

func (n *node) count() int {
	if n == nil {
		return 0
	}
	return 1 + n.left.count() + n.right.count()
}

func main() {
	var group sync.WaitGroup
	var total atomic.Int64
	results := make(chan int, 10)
	for i := 0; i < 1000; i++ {
		i := i // one each, before Go 1.22 too
		group.Add(1)
		go func() {
			defer group.Done()
			total.Add(int64(i))
			results <- i * i
		}()
	}
	sum := 0
	go func() { group.Wait(); close(results) }()
	for r := range results {
		sum += r
	}
	fmt.Println("goroutines", total.Load(), sum)

	long := tree(14)
	var mutex sync.Mutex
	trees := 0
	for times := 0; times < 4; times++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for times := 0; times < 25; times++ {
				n := tree(10).count()
				mutex.Lock()
				trees += n
				mutex.Unlock()
				runtime.Gosched()
			}
		}()
	}
	group.Wait()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println("trees", trees, long.count(), stats.NumGC > 0)

	// A goroutine locked to its thread, which then ends with the thread.
	done := make(chan bool)
	for times := 0; times < 20; times++ {
		go func() {
			runtime.LockOSThread()
			done <- true
		}()
		<-done
	}
	// Preemption of a loop without calls: by a signal.
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
		}
		done <- true
	}()
	runtime.Gosched()
	runtime.GC()
	stop.Store(true)
	<-done
	fmt.Println("preempted")
}
