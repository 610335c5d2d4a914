// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var reportLine = regexp.MustCompile(
	`Reporting (\d+)x trace hash ([0-9a-f]{32}) -> TX ([0-9a-f]{16}) for PID \d+`)

var attachLine = regexp.MustCompile(`apm\.service\.name: .*, trace socket: ([^"\s]+)`)

// sending is the profiler's log about the samples of one transaction.
type sending struct {
	stackIDs []string // of the messages that were sent
	refused  int      // messages that the kernel refused because the receiver's queue was full
}

// profiler is the unmodified, public OpenTelemetry eBPF profiler, observed through its debug log.
type profiler struct {
	process *process
	started time.Time

	mutex    sync.Mutex
	sampling bool
	sendings map[string]*sending // by transaction id
	// The last reported sample; if it could not be sent, the next line says so.
	last      *sending
	lastCount int
	errors    []string
	// It no longer reads samples, although the process still runs.
	gaveUp   bool
	attached map[string]bool // by socket
}

func startProfiler(options options, collector string, hertz int) (*profiler, error) {
	p := &profiler{
		started:  time.Now(),
		sendings: map[string]*sending{},
		attached: map[string]bool{},
	}
	var err error
	p.process, err = startProcess(nextLog(options.logs, "profiler"), p.onLine, options.profiler,
		// With hotspot alone, the profiler would not look for the thread pointer and would read no ids.
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
		return nil, p.failed()
	}
	return p, nil
}

// failure returns the reason why the profiler has stopped sampling, or nil.
func (p *profiler) failure() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.gaveUp || p.process.hasEnded() {
		return p.failed()
	}
	return nil
}

func (p *profiler) failed() error {
	return fmt.Errorf("the profiler has stopped sampling: %s", strings.Join(p.errors, "; "))
}

func (p *profiler) hasAttached(socket string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.attached[socket]
}

func (p *profiler) onLine(line string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if match := reportLine.FindStringSubmatch(line); match != nil {
		p.reports(match[3], base64ID(match[2]), match[1])
		return
	}
	if match := attachLine.FindStringSubmatch(line); match != nil {
		p.attached[match[1]] = true
		return
	}
	switch {
	case strings.Contains(line, "Attached sched monitor"):
		p.sampling = true
	case strings.Contains(line, "Failed to send trace mappings"):
		p.takeBack()
	case strings.Contains(line, "level=ERROR"):
		p.errors = append(p.errors, line)
		p.gaveUp = p.gaveUp || strings.Contains(line, "unrecoverable tracer error")
	}
}

func (p *profiler) reports(transactionID, stackID, count string) {
	p.last = p.sendings[transactionID]
	if p.last == nil {
		p.last = &sending{}
		p.sendings[transactionID] = p.last
	}
	p.lastCount, _ = strconv.Atoi(count)
	for range p.lastCount {
		p.last.stackIDs = append(p.last.stackIDs, stackID)
	}
}

func (p *profiler) takeBack() {
	p.last.stackIDs = p.last.stackIDs[:len(p.last.stackIDs)-p.lastCount]
	p.last.refused += p.lastCount
	p.lastCount = 0
}

func base64ID(hexID string) string {
	id, _ := hex.DecodeString(hexID)
	return base64.RawURLEncoding.EncodeToString(id)
}

func (p *profiler) sendingOf(transactionID string) sending {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	s := p.sendings[transactionID]
	if s == nil {
		return sending{}
	}
	return sending{slices.Clone(s.stackIDs), s.refused}
}

func (p *profiler) stop() { p.process.stop(syscall.SIGTERM) }
