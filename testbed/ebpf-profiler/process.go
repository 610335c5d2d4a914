// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const stopTimeout = 20 * time.Second

// process is a program that a scenario runs. Each line of its output is written to a file and
// passed to a function.
type process struct {
	command *exec.Cmd
	input   io.WriteCloser
	output  chan struct{} // closed when the output has ended
	ended   chan struct{} // closed when the process has ended
}

func startProcess(log string, onLine func(string), words ...string) (*process, error) {
	p := &process{
		command: exec.Command(words[0], words[1:]...),
		output:  make(chan struct{}),
		ended:   make(chan struct{}),
	}
	// The process must not outlive this program.
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var err error
	if p.input, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	kept, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.command.Stdout, p.command.Stderr = write, write
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", words[0], err)
	}
	write.Close()
	go p.readLines(read, kept, onLine)
	go func() {
		_ = p.command.Wait()
		close(p.ended)
	}()
	return p, nil
}

func (p *process) readLines(output io.ReadCloser, log io.WriteCloser, onLine func(string)) {
	defer close(p.output)
	defer log.Close()
	defer output.Close()
	lines := bufio.NewScanner(io.TeeReader(output, log))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		onLine(lines.Text())
	}
}

func (p *process) pid() int { return p.command.Process.Pid }

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// stop asks the process to end, waits, and kills it if it does not end.
func (p *process) stop(signal syscall.Signal) {
	_ = syscall.Kill(innermost(p.pid()), signal)
	p.waitFor()
}

// waitFor waits until the process has ended and all its output is read, and kills it if it does not
// end.
func (p *process) waitFor() {
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.command.Process.Kill()
		<-p.ended
	}
	select {
	case <-p.output:
	case <-time.After(stopTimeout):
	}
}

// innermost follows the only child of each process, because a command may run under another one,
// such as unshare. The last process is that of the command.
func innermost(pid int) int {
	for {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		fields := strings.Fields(string(children))
		if err != nil || len(fields) != 1 {
			return pid
		}
		pid, _ = strconv.Atoi(fields[0])
	}
}

// within waits for a condition, and returns whether it became true in time.
func within(limit time.Duration, condition func() bool) bool {
	deadline := time.Now().Add(limit)
	for time.Now().Before(deadline) {
		if condition() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return condition()
}
