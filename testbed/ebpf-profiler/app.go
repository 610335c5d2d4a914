// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const property = "flamespan."

var socketOfApp = regexp.MustCompile(`, socket=(\S+), library=`)

// app describes a run of BusyApp, as a program or deployed in a Server.
type app struct {
	service   string
	java      string   // path of the JVM, empty for the default
	threads   int      // number of busy threads
	cpuMillis int      // average CPU time of a transaction
	comeAndGo bool     // threads end after three transactions
	settings  []string // further JVM arguments
	under     []string // command that runs the application
	ownTmp    bool     // uses the default socket directory instead of the shared one
	deployed  bool
}

// runningApp is a started app and its output.
type runningApp struct {
	app
	process *process

	mutex     sync.Mutex
	on        time.Time // when the plug-in reported that it is on
	socket    string
	endpoints map[string]endpoint
	warnings  []string // logged by the plug-in
	off       int      // how often the plug-in reported that thread contexts are off
	ours      bool     // the next line is a message of the plug-in
}

// endpoint is what the app reports about one of its endpoints.
type endpoint struct {
	transactions int
	cpu          time.Duration
}

func (a app) start(options options, collector string) (*runningApp, error) {
	java := a.java
	if java == "" {
		java = options.java
	}
	words := append([]string{}, a.under...)
	words = append(words, java, "-Xmx128m", "-XX:+UseSerialGC", "-cp", options.classpath,
		"-Dotel.service.name="+a.service,
		"-Dotel.exporter.otlp.protocol=grpc",
		"-Dotel.exporter.otlp.endpoint=http://"+collector,
		"-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none",
		"-Dotel.bsp.schedule.delay=50ms", "-Dotel.bsp.max.queue.size=100000",
		// Busy threads may leave the exporter little CPU time.
		"-Dotel.exporter.otlp.timeout=60s", "-Dotel.bsp.export.timeout=60s")
	if !a.ownTmp {
		words = append(words, "-D"+property+"socket.dir="+options.socketDir())
	}
	words = append(words, a.settings...)
	life := "stay"
	if a.comeAndGo {
		life = "come-and-go"
	}
	main := "BusyApp"
	if a.deployed {
		main = "Server"
	}
	words = append(words, main, strconv.Itoa(a.threads), strconv.Itoa(a.cpuMillis), life)
	running := &runningApp{app: a, endpoints: map[string]endpoint{}}
	var err error
	running.process, err = startProcess(nextLog(options.logs, "application"), running.onLine, words...)
	return running, err
}

func (a *runningApp) onLine(line string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	ours := a.ours
	a.ours = strings.Contains(line, " io.flamespan.correlation.") &&
		!strings.HasPrefix(line, "WARNING: ") // logged by the JVM, about System.load
	switch {
	case strings.Contains(line, "Flamespan is on"):
		a.on = time.Now()
		if match := socketOfApp.FindStringSubmatch(line); match != nil {
			a.socket = match[1]
		}
	case strings.Contains(line, "INFO: OpenTelemetry thread contexts are off"):
		a.off++
	case ours && strings.HasPrefix(line, "WARNING: "):
		a.warnings = append(a.warnings, line)
	case strings.HasPrefix(line, "did "):
		var name string
		var transactions, cpuMicros int
		if _, err := fmt.Sscanf(line, "did %s %d %d", &name, &transactions, &cpuMicros); err == nil {
			cpu := time.Duration(cpuMicros) * time.Microsecond
			a.endpoints[name] = endpoint{transactions, cpu}
		}
	}
}

// startedAt waits until the plug-in has started.
func (a *runningApp) startedAt() (time.Time, bool) {
	started := within(30*time.Second, func() bool {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		return !a.on.IsZero() || a.process.hasEnded()
	})
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.on, started && !a.on.IsZero()
}

// said returns how often the plug-in reported that thread contexts are off, and its warnings.
func (a *runningApp) said() (int, []string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.off, append([]string(nil), a.warnings...)
}

// stop lets the app complete its transactions and flush, and returns their number.
func (a *runningApp) stop() int {
	a.process.stop(syscall.SIGTERM)
	return a.done()
}

// redeploy makes a Server stop its app and deploy it again, waits for it, and returns the number of
// transactions of the old app.
func (a *runningApp) redeploy() (int, bool) {
	a.mutex.Lock()
	a.on = time.Time{}
	a.mutex.Unlock()
	if _, err := io.WriteString(a.process.input, "\n"); err != nil {
		return 0, false
	}
	_, on := a.startedAt()
	return a.done(), on
}

// undeploy makes a Server stop its app and end, and returns the number of transactions.
func (a *runningApp) undeploy() int {
	_ = a.process.input.Close()
	a.process.waitFor()
	return a.done()
}

// done returns the number of transactions of the ended app.
func (a *runningApp) done() int {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	total := 0
	for _, e := range a.endpoints {
		total += e.transactions
	}
	return total
}
