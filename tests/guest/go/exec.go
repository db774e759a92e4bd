// os/exec: of this program itself, of 64-bit programs, of scripts; pipes, exit statuses, environments, deadlines.
//# timeout: 40
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "upper":
			scanner := bufio.NewScanner(os.Stdin)
			for scanner.Scan() {
				fmt.Println(strings.ToUpper(scanner.Text()))
			}
		case "exit":
			fmt.Fprintln(os.Stderr, "going", os.Getenv("WORD"))
			os.Exit(23)
		case "sleep":
			time.Sleep(time.Minute)
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Println("FAIL", err)
	}
	command := exec.Command(self, "upper")
	command.Stdin = strings.NewReader("one\ntwo\n")
	out, err := command.Output()
	fmt.Printf("%q %v\n", out, err)

	command = exec.Command(self, "exit")
	command.Env = []string{"WORD=away"}
	both, err := command.CombinedOutput()
	var exit *exec.ExitError
	fmt.Printf("%q %v %v\n", both, errors.As(err, &exit), command.ProcessState.ExitCode())

	out, err = exec.Command("/bin/sh", "-c", "echo a 64-bit shell; "+"exit 3").Output()
	fmt.Printf("%q %v\n", out, err)
	os.WriteFile("script", []byte("#!/bin/sh\necho script $1\n"), 0o755)
	out, err = exec.Command("./script", "argument").Output()
	fmt.Printf("%q %v\n", out, err)
	_, err = exec.Command("./absent").Output()
	fmt.Println(errors.Is(err, os.ErrNotExist))
	os.WriteFile("garbage", []byte("\x00\x01garbage"), 0o755)
	_, err = exec.Command("./garbage").Output()
	fmt.Println(errors.Is(err, syscall.ENOEXEC))

	context, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	err = exec.CommandContext(context, self, "sleep").Run()
	fmt.Println(err)

	// Many at once, each a pipe through two processes: 32-bit into 64-bit.
	results := make(chan string, 16)
	for i := 0; i < 16; i++ {
		i := i // one each, before Go 1.22 too
		go func() {
			first, second := exec.Command(self, "upper"), exec.Command("cat")
			first.Stdin = strings.NewReader(fmt.Sprintf("line %d", i))
			r, w := io.Pipe()
			first.Stdout = w
			second.Stdin = r
			var buffer bytes.Buffer
			second.Stdout = &buffer
			first.Start()
			second.Start()
			first.Wait()
			w.Close()
			second.Wait()
			results <- buffer.String()
		}()
	}
	total := 0
	for times := 0; times < 16; times++ {
		total += len(<-results)
	}
	fmt.Println("bytes", total)
	command = exec.Command(self, "sleep")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	command.Start()
	syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
	fmt.Println(command.Wait())
}
