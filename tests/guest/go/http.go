// net/http over loopback: a server and many clients in one process.
//# needs: net
//# timeout: 40
package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println("FAIL listen", err)
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { time.Sleep(time.Second) })
	go http.Serve(listener, mux)
	url := "http://" + listener.Addr().String()
	var group sync.WaitGroup
	var mutex sync.Mutex
	right := 0
	for i := 0; i < 40; i++ {
		i := i // one each, before Go 1.22 too
		group.Add(1)
		go func() {
			defer group.Done()
			body := bytes.Repeat([]byte{byte(i), 'x'}, 20000+i)
			response, err := http.Post(url+"/echo", "text/plain", bytes.NewReader(body))
			if err != nil {
				fmt.Println("FAIL", err)
				return
			}
			defer response.Body.Close()
			back, err := io.ReadAll(response.Body)
			mutex.Lock()
			defer mutex.Unlock()
			if err == nil && bytes.Equal(back, body) {
				right++
			}
		}()
	}
	group.Wait()
	fmt.Println("echoed", right)
	client := http.Client{Timeout: 50 * time.Millisecond}
	_, err = client.Get(url + "/slow")
	fmt.Println("timeout", err != nil && strings.Contains(err.Error(), "Client.Timeout"))
	listener.Close()
	_, err = net.DialTimeout("tcp", listener.Addr().String(), time.Second)
	fmt.Println("refused", err != nil)

	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	fmt.Println("udp", err)
	sender, _ := net.Dial("udp", packets.LocalAddr().String())
	sender.Write([]byte("datagram"))
	buffer := make([]byte, 100)
	n, _, err := packets.ReadFrom(buffer)
	fmt.Println(string(buffer[:n]), err)
	packets.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	_, _, err = packets.ReadFrom(buffer)
	fmt.Println("deadline", err.(net.Error).Timeout())
	unix, err := net.Listen("unix", "socket")
	fmt.Println("unix", err)
	go func() {
		c, _ := net.Dial("unix", "socket")
		c.Write([]byte("local"))
		c.Close()
	}()
	c, _ := unix.Accept()
	all, err := io.ReadAll(c)
	fmt.Println(string(all), err)
}
