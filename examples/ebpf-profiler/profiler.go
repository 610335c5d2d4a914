// Copyright The OpenTelemetry Profiling Correlation Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var (
	reportLine = regexp.MustCompile(
		`Reporting (\d+)x trace hash ([0-9a-f]{32}) -> TX ([0-9a-f]{16}) for PID (\d+)`)
	attachLine = regexp.MustCompile(`PID (\d+) apm\.service\.name: `)
)

// report is a correlation message that the profiler says it sends.
type report struct {
	at      time.Time
	stackID string
}

// profiler is the public OpenTelemetry eBPF profiler, unmodified; what it does is read off its
// debug log.
type profiler struct {
	process *process
	started time.Time

	mutex    sync.Mutex
	sampling bool
	reported map[string][]report // by transaction id
	attached map[int]time.Time   // by process id
	unsent   int
	errors   []string
}

func startProfiler(options options, collector string, hertz int) (*profiler, error) {
	p := &profiler{
		started:  time.Now(),
		reported: map[string][]report{},
		attached: map[int]time.Time{},
	}
	var err error
	// In a mount namespace of its own, so that the mount goes with it.
	p.process, err = startProcess(nil, p.onLine, "unshare", "--mount", "sh", "-c",
		`mount -t tracefs none /sys/kernel/tracing; exec "$@"`, "sh",
		options.launcher, options.profiler,
		// Of hotspot alone the profiler would not look for the thread pointer, and so read no ids.
		"-collection-agent", collector, "-disable-tls", "-verbose", "-tracers", "hotspot,perl",
		"-samples-per-second", strconv.Itoa(hertz), "-reporter-interval", "1s")
	if err != nil {
		return nil, err
	}
	up := within(30*time.Second, func() bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		return p.sampling || p.process.hasEnded()
	})
	if !up || p.process.hasEnded() {
		p.process.stop(syscall.SIGKILL)
		return nil, fmt.Errorf("the profiler does not run: %w",
			errors.New(strings.Join(p.errors, "; ")))
	}
	return p, nil
}

func (p *profiler) onLine(line string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if match := reportLine.FindStringSubmatch(line); match != nil {
		count, _ := strconv.Atoi(match[1])
		for range count {
			now := report{time.Now(), base64ID(match[2])}
			p.reported[match[3]] = append(p.reported[match[3]], now)
		}
		return
	}
	if match := attachLine.FindStringSubmatch(line); match != nil {
		pid, _ := strconv.Atoi(match[1])
		p.attached[pid] = time.Now()
		return
	}
	switch {
	case strings.Contains(line, "Attached sched monitor"):
		p.sampling = true
	case strings.Contains(line, "Failed to send trace mappings"):
		p.unsent++
	case strings.Contains(line, "level=ERROR"):
		p.errors = append(p.errors, line)
	}
}

func base64ID(hexID string) string {
	id, _ := hex.DecodeString(hexID)
	return base64.RawURLEncoding.EncodeToString(id)
}

func (p *profiler) attachedTo(pid int) (time.Time, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	at, found := p.attached[pid]
	return at, found
}

// copyReported returns all reports up to now, and how many of them the profiler could not send.
func (p *profiler) copyReported() (reports map[string][]report, unsent int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return maps.Clone(p.reported), p.unsent
}

func (p *profiler) stop() { p.process.stop(syscall.SIGTERM) }
