// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"time"
)

const (
	// The first message activates auto mode, so spans that ended earlier were not delayed. Messages
	// arrive in batches, every 250 ms.
	batch = 300 * time.Millisecond
	// An application that ends does not wait for its last samples.
	delay = 1200 * time.Millisecond
	// A thread that is busy for two seconds is sampled 40 times at 20 Hz, unless others need its CPU.
	fewest = 20
)

// period is a time span; the samples of transactions that end in it must be complete.
type period struct {
	from, to time.Time
}

func (p period) contains(moment time.Time) bool {
	return !moment.Before(p.from) && !moment.After(p.to)
}

// share compares the messages of the profiler with the ids on exported spans.
type share struct {
	sent, exported int
	refused        int  // the receiver's queue was full
	attached       bool // the profiler has seen the plug-in
}

func (s share) String() string {
	switch {
	case s.sent+s.refused > 0:
	case s.attached:
		return "nothing reported"
	default:
		return "nothing reported: the profiler did not attach"
	}
	return fmt.Sprintf("%.2f %% of %d, %d refused",
		100*float64(s.exported)/float64(s.sent+s.refused), s.sent+s.refused, s.refused)
}

// complete returns whether there are enough messages and all are exported.
func (s share) complete() bool { return s.sent >= fewest && s.sent == s.exported && s.refused == 0 }

// acceptable returns whether all messages that were sent are exported, and only a few were refused:
// no more than on a virtual machine whose CPUs stop for milliseconds. Without real-time priority,
// ten times as many are refused.
func (s share) acceptable() bool {
	return s.sent >= fewest && s.sent == s.exported && 20*s.refused < s.sent
}

// shareOf compares reported messages and exported ids, for the transactions of a service that ended
// in a period.
func shareOf(service string, a *runningApp, r *receiver, p *profiler, seen period) share {
	s := share{attached: p.hasAttached(a.socket)}
	for _, t := range r.ofService(service) {
		if !seen.contains(t.ended) {
			continue
		}
		sending := p.sendingOf(t.spanID)
		s.sent += len(sending.stackIDs)
		s.refused += sending.refused
		remaining := slices.Clone(t.stackIDs)
		for _, stackID := range sending.stackIDs {
			if i := slices.Index(remaining, stackID); i >= 0 {
				s.exported++
				remaining = slices.Delete(remaining, i, i+1)
			}
		}
	}
	return s
}

// samplesByIDs returns the number of stack trace ids of each endpoint of a service.
func samplesByIDs(transactions []transaction) map[string]int {
	samples := map[string]int{}
	for _, t := range transactions {
		if len(t.stackIDs) > 0 {
			samples[t.name] += len(t.stackIDs)
		}
	}
	return samples
}

// correlated counts the received transactions of an endpoint that ended in a period, and those of
// them with stack trace ids.
func correlated(transactions []transaction, name string, seen period) (int, int) {
	all, with := 0, 0
	for _, t := range transactions {
		if t.name != name || !seen.contains(t.ended) {
			continue
		}
		all++
		if len(t.stackIDs) > 0 {
			with++
		}
	}
	return all, with
}

// exactlyOnce returns the number of received transactions, and whether each arrived once.
func exactlyOnce(transactions []transaction) (int, bool) {
	for _, t := range transactions {
		if t.times != 1 {
			return len(transactions), false
		}
	}
	return len(transactions), true
}

func median(durations []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[len(sorted)/2]
}
