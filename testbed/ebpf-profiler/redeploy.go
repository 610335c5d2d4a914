// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

const (
	deployments    = 2
	deployedMillis = 80
	// Its transactions burn 144 ms of CPU time, so a profiler at 20 Hz takes two or more samples.
	sampledEndpoint = "SIXTY"
)

// deployment is the observation of an application that a server deployed.
type deployment struct {
	share            share
	long, correlated int // transactions of the endpoint that the profiler samples
	done, received   int
	once             bool
}

// redeploy: a server stops an application and deploys it again in a new class loader, under the
// same profiler.
func (r *run) redeploy(p *profiler) error {
	var shares [deployments][]string
	var good [deployments]bool
	var last [deployments]deployment
	for try := 1; try <= 3; try++ {
		var err error
		if last, err = r.deploy(fmt.Sprint("redeploy-", try), p); err != nil {
			return err
		}
		if err := p.failure(); err != nil {
			return err
		}
		complete := true
		for i, d := range last {
			shares[i] = append(shares[i], d.share.String())
			good[i] = good[i] || d.share.acceptable()
			complete = complete && d.share.complete()
		}
		if complete {
			break
		}
	}
	for i, d := range last {
		r.table.row(fmt.Sprintf("deployment %d: exported share of messages", i+1),
			strings.Join(shares[i], "; then "), good[i])
		r.table.row("  transactions of 144 ms with stack trace ids",
			fmt.Sprintf("%d of %d", d.correlated, d.long), d.long > 0 && 2*d.correlated > d.long)
		r.table.row("  transactions done, received",
			fmt.Sprintf("%d, %d", d.done, d.received), d.done == d.received && d.once)
	}
	return nil
}

// deploy lets a server deploy an application repeatedly, and observes each deployment.
func (r *run) deploy(server string, p *profiler) ([deployments]deployment, error) {
	var seen [deployments]deployment
	var periods [deployments]period
	running, err := r.start(app{service: server, threads: 1, cpuMillis: deployedMillis, deployed: true})
	if err != nil {
		return seen, err
	}
	service := func(i int) string { return fmt.Sprintf("%s-%d", server, i+1) }
	for i := range seen {
		since, _ := running.startedAt()
		periods[i] = r.observe(service(i), since, 4*time.Second)
		if i == deployments-1 {
			seen[i].done = running.undeploy()
			break
		}
		var on bool
		if seen[i].done, on = running.redeploy(); !on {
			running.process.stop(syscall.SIGKILL)
			_, warnings := running.said()
			return seen, fmt.Errorf("the plug-in did not start in %s: %s", service(i+1), warnings)
		}
	}
	for i := range seen {
		transactions := r.receiver.ofService(service(i))
		seen[i].share = shareOf(service(i), running, r.receiver, p, periods[i])
		seen[i].long, seen[i].correlated = correlated(transactions, sampledEndpoint, periods[i])
		seen[i].received, seen[i].once = exactlyOnce(transactions)
	}
	return seen, nil
}
