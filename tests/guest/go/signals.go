// os/signal, panics from faults, timers, deadlines.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"
)

func fault() (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	var p *[100]int
	return fmt.Sprint(p[7])
}

func divide(a, b int) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	return fmt.Sprint(a / b)
}

func unmapped() (text string) {
	defer func() { text = fmt.Sprint(recover() != nil) }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	data, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(data[5])
}

func main() {
	signals := make(chan os.Signal, 100)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH)
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH} {
		syscall.Kill(os.Getpid(), s)
		fmt.Println(<-signals)
	}
	signal.Ignore(syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	signal.Reset(syscall.SIGWINCH)
	fmt.Println(fault())
	fmt.Println(divide(1, len(signals)))
	fmt.Println(unmapped())

	var ticks atomic.Int32
	ticker := time.NewTicker(2 * time.Millisecond)
	go func() {
		for range ticker.C {
			ticks.Add(1)
		}
	}()
	start := time.Now()
	time.Sleep(60 * time.Millisecond)
	elapsed := time.Since(start)
	fmt.Println("slept", elapsed >= 60*time.Millisecond, ticks.Load() > 3)
	fired := make(chan bool)
	time.AfterFunc(5*time.Millisecond, func() { fired <- true })
	fmt.Println(<-fired)
	select {
	case <-signals:
		fmt.Println("FAIL a signal too many")
	case <-time.After(10 * time.Millisecond):
		fmt.Println("after")
	}
	fmt.Println(time.Unix(1700000000, 0).UTC())
}
