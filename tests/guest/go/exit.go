// A panic that nobody recovers: status 2 and the message on stderr.
//# exit: 3
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if len(os.Args) > 1 {
		panic("on purpose")
	}
	self, _ := os.Executable()
	command := exec.Command(self, "panic")
	var text strings.Builder
	command.Stderr = &text
	err := command.Run()
	fmt.Println(err, strings.HasPrefix(text.String(), "panic: on purpose"))
	os.Exit(3)
}
