// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"go.opentelemetry.io/collector/pdata/pprofile"
)

// link identifies the span that a sample of a received profile refers to.
type link struct {
	service, traceID, spanID string
}

// samplesIn returns the number of samples of one stack in a message: the profiler sets a timestamp
// for each, and no values.
func samplesIn(sample pprofile.Sample) int { return sample.TimestampsUnixNano().Len() }

// linkedTo returns the number of profile samples that refer to a transaction, with any
// service.name.
func (r *receiver) linkedTo(t transaction) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.linked[t.traceID+t.spanID]
}

// agreement compares profiles and messages for the sampled transactions.
type agreement struct {
	transactions int
	samples      int
	same         int // transactions with the same number of samples in profiles and in messages
	difference   string
}

func (a agreement) complete() bool { return a.transactions > 0 && a.same == a.transactions }

func (a agreement) plus(b agreement) agreement {
	a.transactions += b.transactions
	a.samples += b.samples
	a.same += b.same
	if a.difference == "" {
		a.difference = b.difference
	}
	return a
}

func (a agreement) String() string {
	return fmt.Sprintf("%d of %d, with %d samples%s", a.same, a.transactions, a.samples, a.difference)
}

// agreementOf compares the samples whose Link refers to a transaction with the stack trace ids of
// the transaction, for all transactions of a service that ended in a period. Messages that the
// kernel refused also count as samples.
func agreementOf(service string, r *receiver, p *profiler, seen period) agreement {
	var found agreement
	for _, t := range r.ofService(service) {
		if !seen.contains(t.ended) {
			continue
		}
		linked, refused := r.linkedTo(t), p.sendingOf(t.spanID).refused
		if linked == 0 && len(t.stackIDs)+refused == 0 {
			continue
		}
		found.transactions++
		found.samples += linked
		if linked == len(t.stackIDs)+refused {
			found.same++
		} else if found.difference == "" {
			found.difference = fmt.Sprintf(
				"; span %s of %s has %d ids, %d were refused, %d samples link to it",
				t.spanID, t.service, len(t.stackIDs), refused, linked)
		}
	}
	return found
}

// agree waits for the profiles of an ended app, compares them with its transactions, and adds the
// result to the totals.
func (r *run) agree(service string, p *profiler, seen period) {
	var found agreement
	within(3*time.Second, func() bool {
		found = agreementOf(service, r.receiver, p, seen)
		return found.complete()
	})
	r.agreement = r.agreement.plus(found)
}

// links: the exported profiles refer to exported spans. Other processes, which the profiler also
// sees, do not count; neither does the killed process, which could not export its last spans.
func (r *run) links() error {
	time.Sleep(3 * time.Second)
	r.receiver.mutex.Lock()
	defer r.receiver.mutex.Unlock()
	ours := map[string]bool{}
	for _, t := range r.receiver.transactions {
		ours[t.service] = t.service != "killed"
	}
	known, all := 0, 0
	for to := range r.receiver.links {
		// Samples that the profiler reports after the end of a process lack its service name.
		if !ours[to.service] {
			continue
		}
		all++
		if r.receiver.transactions[to.traceID+to.spanID] != nil {
			known++
		}
	}
	r.table.row("links of profiles that point to exported local root spans",
		fmt.Sprintf("%d of %d", known, all), all > 0 && known == all)
	r.table.row("local root spans with the same number of links and ids",
		r.agreement.String(), r.agreement.complete())
	ids := r.receiver.idsByStack()
	r.table.row("stack trace ids that stand for several stacks by name", ids.String(), ids.ids > 0)
	named := 0
	for service := range ours {
		named += r.receiver.services[service]
	}
	r.table.row("samples of profiles under our service.name", fmt.Sprint(named), named > 0)
	r.table.row("stack trace ids on other than local root spans",
		fmt.Sprint(r.receiver.misplaced), r.receiver.misplaced == 0)
	return nil
}
