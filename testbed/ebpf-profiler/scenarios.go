// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	starts        = 20
	warmUp        = 20 * time.Second
	attachesOfOne = 10
	patience      = 15 * time.Second
	// Of the exporter of a process whose 64 threads take all CPUs.
	longPatience = time.Minute
)

// run holds the data that all scenarios share.
type run struct {
	options  options
	receiver *receiver
	table    *table
	// The total over all applications that measure has run.
	agreement agreement
}

// with runs a scenario under a new profiler.
func (r *run) with(hertz int, scenario func(*profiler) error) error {
	p, err := startProfiler(r.options, r.receiver.address, hertz)
	if err != nil {
		return err
	}
	defer p.stop()
	if err := scenario(p); err != nil {
		return err
	}
	return p.failure()
}

// untilCorrelated waits for an app's first transaction with a stack trace id after a moment.
func (r *run) untilCorrelated(
	service string, since time.Time, patience time.Duration,
) (time.Duration, bool) {
	var first time.Time
	found := within(patience, func() bool {
		var found bool
		first, found = r.receiver.firstCorrelated(service, since)
		return found
	})
	return first.Sub(since), found
}

func (r *run) start(a app) (*runningApp, error) {
	running, err := a.start(r.options, r.receiver.address)
	if err != nil {
		return nil, err
	}
	if _, on := running.startedAt(); !on {
		running.process.stop(syscall.SIGKILL)
		return nil, fmt.Errorf("the plug-in did not start in %s: %s", a.service, running.warnings)
	}
	return running, nil
}

// profilerFirst: applications that start while the profiler runs.
func (r *run) profilerFirst(p *profiler) error {
	var times []time.Duration
	for i := 0; i < starts; i += 2 {
		var pair []*runningApp
		for j := range 2 {
			a, err := r.start(app{service: fmt.Sprint("start-", i+j), threads: 1, cpuMillis: 20})
			if err != nil {
				return err
			}
			pair = append(pair, a)
		}
		for _, a := range pair {
			if took, found := r.untilCorrelated(a.service, a.on, patience); found {
				times = append(times, took)
			}
		}
		for _, a := range pair {
			a.stop()
		}
	}
	r.table.seconds("profiler first: plug-in start to correlated transaction", times, starts)
	return nil
}

// applicationFirst: profilers that start, one after the other, when the applications are warm.
func (r *run) applicationFirst() error {
	var apps []*runningApp
	for i := range starts / attachesOfOne {
		a, err := r.start(app{service: fmt.Sprint("warm-", i), threads: 1, cpuMillis: 20})
		if err != nil {
			return err
		}
		apps = append(apps, a)
	}
	time.Sleep(warmUp)
	delayed := 0
	for _, a := range apps {
		for _, t := range r.receiver.ofService(a.service) {
			if t.received.Sub(t.ended) > delay {
				delayed++
			}
		}
	}
	r.table.row("auto without a profiler: transactions delayed", fmt.Sprint(delayed), delayed == 0)
	files := openFiles(apps)
	var times []time.Duration
	for range attachesOfOne {
		since := time.Now()
		err := r.with(20, func(*profiler) error {
			for _, a := range apps {
				if took, found := r.untilCorrelated(a.service, since, patience); found {
					times = append(times, took)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.table.seconds("application first: profiler start to correlated transaction", times, starts)
	more := openFiles(apps) - files
	r.table.row(fmt.Sprintf("after %d profilers: files left open", attachesOfOne),
		fmt.Sprint(more), more <= 0)
	for _, a := range apps {
		did := a.stop()
		received, once := exactlyOnce(r.receiver.ofService(a.service))
		r.table.row("  "+a.service+": transactions done, received",
			fmt.Sprintf("%d, %d", did, received), did == received && once)
	}
	return nil
}

func openFiles(apps []*runningApp) int {
	files := 0
	for _, a := range apps {
		entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", a.process.pid()))
		files += len(entries)
	}
	return files
}

// load runs an app for a time, and returns the ended app and the period in which it was measured.
func (r *run) load(a app, length time.Duration) (*runningApp, period, error) {
	running, err := r.start(a)
	if err != nil {
		return nil, period{}, err
	}
	seen := r.observe(a.service, running.on, length)
	running.stop()
	return running, seen, nil
}

// observe waits for the first correlated transaction of a service and lets it run for a time after
// that. It returns an empty period if no correlated transaction arrived.
func (r *run) observe(service string, on time.Time, length time.Duration) period {
	took, found := r.untilCorrelated(service, on, longPatience)
	if !found {
		return period{}
	}
	from := on.Add(took - time.Second + batch)
	if from.Before(on) {
		from = on
	}
	time.Sleep(length)
	return period{from, time.Now().Add(-delay)}
}

// measure runs an app and compares reported messages with exported ids. It tries up to three times
// until nothing is missing, because a busy machine may lose a message; the figure shows each try.
func (r *run) measure(a app, length time.Duration, p *profiler) (*runningApp, string, bool, error) {
	var tries []string
	service, good := a.service, false
	for try := 1; ; try++ {
		if try > 1 {
			a.service = fmt.Sprintf("%s-%d", service, try)
		}
		running, seen, err := r.load(a, length)
		if err != nil {
			return nil, "", false, err
		}
		if err := p.failure(); err != nil {
			return nil, "", false, err
		}
		r.agree(a.service, p, seen)
		s := shareOf(a.service, running, r.receiver, p, seen)
		tries = append(tries, s.String())
		good = good || s.acceptable()
		if s.complete() || try == 3 {
			return running, strings.Join(tries, "; then "), good, nil
		}
	}
}

// shares: the share of reported messages whose ids are on exported spans.
func (r *run) shares(hertz int, mode string) func(*profiler) error {
	return func(p *profiler) error {
		for _, threads := range []int{1, 8, 64} {
			length := 6 * time.Second
			settings := []string{"-D" + property + "enabled=" + mode}
			if threads == 8 {
				length = 10 * time.Second
				settings = append(settings, "-Dotel.metrics.exporter=otlp",
					"-D"+property+"samples.metric.attributes=span.name")
			}
			a, figure, complete, err := r.measure(app{
				service: fmt.Sprintf("share-%d-%d", hertz, threads), threads: threads, cpuMillis: 5,
				settings: settings,
			}, length, p)
			if err != nil {
				return err
			}
			r.table.row(fmt.Sprintf("%s, %d Hz, %d busy threads: exported share of messages",
				mode, hertz, threads), figure, complete)
			if threads == 8 {
				r.endpoints(a)
			}
		}
		return nil
	}
}

// endpoints: both the ids and the metric attribute samples to the endpoint that burnt the CPU.
func (r *run) endpoints(a *runningApp) {
	byIDs := samplesByIDs(r.receiver.ofService(a.service))
	byMetric := r.receiver.samplesByMetric(a.service)
	r.endpointsBy("ids", a, byIDs)
	r.endpointsBy("the metric", a, byMetric)
	r.table.row("  samples of endpoints by ids and by the metric",
		fmt.Sprintf("%v and %v", byIDs, byMetric), maps.Equal(byIDs, byMetric))
}

func (r *run) endpointsBy(what string, a *runningApp, counts map[string]int) {
	samples := 0
	for _, count := range counts {
		samples += count
	}
	var total time.Duration
	for _, e := range a.endpoints {
		total += e.cpu
	}
	good := samples > 0
	var text []string
	for _, name := range []string{"SIXTY", "THIRTY", "TEN"} {
		truth := float64(a.endpoints[name].cpu) / float64(total)
		sigma := math.Sqrt(truth * (1 - truth) / float64(samples))
		share := float64(counts[name]) / float64(samples)
		good = good && math.Abs(share-truth) < math.Max(0.03, 4*sigma)
		text = append(text, fmt.Sprintf("%.1f of %.1f %%", 100*share, 100*truth))
	}
	r.table.row(fmt.Sprintf("  CPU shares of endpoints by %s, %d samples", what, samples),
		strings.Join(text, ", "), good)
}

// variants: the ways in which applications may differ.
func (r *run) variants(p *profiler) error {
	link := filepath.Join(r.options.directory, "link")
	if err := os.Symlink(r.options.socketDir(), link); err != nil {
		return err
	}
	own := filepath.Join(r.options.directory, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		return err
	}
	if err := os.Chown(own, 65534, 65534); err != nil {
		return err
	}
	variants := []app{
		{service: "threads-come-and-go", threads: 2, cpuMillis: 10, comeAndGo: true},
		{service: strings.Repeat("long", 75), threads: 1, cpuMillis: 20},
		{service: "without-thread-context", threads: 1, cpuMillis: 20,
			settings: []string{"-D" + property + "thread.context.enabled=false"}},
		{service: "linked-socket-directory", threads: 1, cpuMillis: 20,
			settings: []string{"-D" + property + "socket.dir=" + link}, ownTmp: true},
		{service: "container", threads: 1, cpuMillis: 20, ownTmp: true,
			settings: []string{"-Djava.io.tmpdir=/mnt"},
			under: []string{"unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
				"sh", "-c",
				"mount --bind " + own + ` /mnt; exec "$@"`, "sh",
				"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"}},
	}
	for version, java := range installedJavas() {
		variants = append(variants,
			app{service: "jdk-" + version, java: java, threads: 1, cpuMillis: 20})
	}
	for _, a := range variants {
		_, figure, complete, err := r.measure(a, 3*time.Second, p)
		if err != nil {
			return err
		}
		name := a.service
		if len(name) > 100 {
			name = fmt.Sprintf("service name of %d bytes", len(name))
		}
		r.table.row(name+": exported share of messages", figure, complete)
	}
	return nil
}

// killed: the next process in the same directory removes the socket of the killed one, and works.
func (r *run) killed(p *profiler) error {
	victim, err := r.start(app{service: "killed", threads: 1, cpuMillis: 20})
	if err != nil {
		return err
	}
	r.untilCorrelated(victim.service, victim.on, patience)
	victim.process.stop(syscall.SIGKILL)
	left := sockets(r.options)
	next := app{service: "next", threads: 1, cpuMillis: 20}
	_, figure, complete, err := r.measure(next, 2*time.Second, p)
	if err != nil {
		return err
	}
	r.table.row("after SIGKILL: sockets left behind, left after the next process",
		fmt.Sprintf("%d, %d", left, sockets(r.options)), left == 1 && sockets(r.options) == 0)
	r.table.row("  next process: exported share of messages", figure, complete)
	return nil
}

func sockets(o options) int {
	files, _ := filepath.Glob(filepath.Join(o.socketDir(), "*.sock"))
	return len(files)
}
