// Files and directories through Go's own system calls.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"syscall"
	"time"
)

func main() {
	os.MkdirAll("a/b/c", 0o755)
	for i := 0; i < 200; i++ {
		i := i // one each, before Go 1.22 too
		os.WriteFile(fmt.Sprintf("a/b/file%03d", i), make([]byte, i), 0o644)
	}
	var count, size int64
	filepath.WalkDir("a", func(path string, d fs.DirEntry, err error) error {
		info, _ := d.Info()
		count++
		if !d.IsDir() {
			size += info.Size()
		}
		return err
	})
	fmt.Println("walk", count, size)
	entries, err := os.ReadDir("a/b")
	fmt.Println(len(entries), sort.SliceIsSorted(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() }), err)

	f, err := os.Create("large")
	fmt.Println(err)
	fmt.Println(f.WriteAt([]byte("far"), 5<<32))
	info, _ := f.Stat()
	fmt.Println(info.Size(), info.Mode())
	fmt.Println(f.Seek(-3, io.SeekEnd))
	text, err := io.ReadAll(f)
	fmt.Println(string(text), err)
	fmt.Println(f.Truncate(3 << 32))
	os.Chtimes("large", time.Unix(100, 5), time.Unix(200, 7))
	info, _ = os.Stat("large")
	fmt.Println(info.ModTime().UnixNano(), info.Size())
	fmt.Println(os.Symlink("large", "link"))
	fmt.Println(os.Readlink("link"))
	fmt.Println(os.Rename("large", "larger"))
	_, err = os.Stat("link")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	_, err = os.Open("a/b/file001/x")
	fmt.Println(errors.Is(err, syscall.ENOTDIR))
	source, _ := os.Open("larger")
	source.Seek(-1<<20, io.SeekEnd)
	target, _ := os.Create("copy")
	n, err := io.Copy(target, source)
	fmt.Println("copied", n, err)
	var statfs syscall.Statfs_t
	fmt.Println(syscall.Statfs(".", &statfs), statfs.Bsize)
	syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	other, _ := os.Open("larger")
	fmt.Println(syscall.Flock(int(other.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
	r, w, _ := os.Pipe()
	go func() { time.Sleep(5 * time.Millisecond); w.Write([]byte("pipe")); w.Close() }()
	text, err = io.ReadAll(r)
	fmt.Println(string(text), err)
	r, _, _ = os.Pipe()
	r.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = r.Read(text)
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	fmt.Println(os.RemoveAll("a"))
	directory, _ := os.MkdirTemp(".", "x")
	fmt.Println(os.Remove(directory))
}
