// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
	"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // the profiler compresses its exports
)

const (
	stackTraceIDs = "elastic.profiler_stack_trace_ids"
	samplesMetric = "profiling.correlation.samples"
)

// transaction is a received local root span.
type transaction struct {
	traceID  string
	spanID   string
	service  string
	name     string
	stackIDs []string
	ended    time.Time
	received time.Time // the first time
	times    int
}

// receiver receives OTLP traces, metrics and profiles over gRPC, and keeps the parts that scenarios
// need.
type receiver struct {
	ptraceotlp.UnimplementedGRPCServer
	address string
	server  *grpc.Server

	mutex        sync.Mutex
	transactions map[string]*transaction // by trace id and span id
	misplaced    int                     // stack trace ids on spans that are not local roots
	links        map[link]bool
	linked       map[string]int            // profile samples by trace id and span id
	stacks       map[string]map[string]int // the same by trace id and span id, and by stack
	services     map[string]int            // profile samples by service.name
	counted      map[string]map[string]int // samples by the plug-in's metric, by service and span.name
}

// metricsReceiver is separate because all services have a method Export.
type metricsReceiver struct {
	pmetricotlp.UnimplementedGRPCServer
	*receiver
}

// profilesReceiver is separate for the same reason.
type profilesReceiver struct {
	pprofileotlp.UnimplementedGRPCServer
	*receiver
}

func startReceiver() (*receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{
		address:      listener.Addr().String(),
		server:       grpc.NewServer(grpc.MaxRecvMsgSize(64 << 20)),
		transactions: map[string]*transaction{},
		links:        map[link]bool{},
		linked:       map[string]int{},
		stacks:       map[string]map[string]int{},
		services:     map[string]int{},
		counted:      map[string]map[string]int{},
	}
	ptraceotlp.RegisterGRPCServer(r.server, r)
	pmetricotlp.RegisterGRPCServer(r.server, &metricsReceiver{receiver: r})
	pprofileotlp.RegisterGRPCServer(r.server, &profilesReceiver{receiver: r})
	go func() { _ = r.server.Serve(listener) }()
	return r, nil
}

func (r *receiver) Export(_ context.Context, request ptraceotlp.ExportRequest) (
	ptraceotlp.ExportResponse, error,
) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, resource := range request.Traces().ResourceSpans().All() {
		service := serviceName(resource.Resource())
		for _, scope := range resource.ScopeSpans().All() {
			for _, span := range scope.Spans().All() {
				r.add(service, span)
			}
		}
	}
	return ptraceotlp.NewExportResponse(), nil
}

func (r *receiver) add(service string, span ptrace.Span) {
	var ids []string
	if value, found := span.Attributes().Get(stackTraceIDs); found {
		for _, id := range value.Slice().All() {
			ids = append(ids, id.Str())
		}
	}
	if !span.ParentSpanID().IsEmpty() {
		r.misplaced += len(ids)
		return
	}
	key := span.TraceID().String() + span.SpanID().String()
	known := r.transactions[key]
	if known == nil {
		known = &transaction{
			traceID:  span.TraceID().String(),
			spanID:   span.SpanID().String(),
			service:  service,
			name:     span.Name(),
			ended:    span.EndTimestamp().AsTime(),
			received: time.Now(),
		}
		r.transactions[key] = known
	}
	known.stackIDs = append(known.stackIDs, ids...)
	known.times++
}

func (r *metricsReceiver) Export(_ context.Context, request pmetricotlp.ExportRequest) (
	pmetricotlp.ExportResponse, error,
) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, resource := range request.Metrics().ResourceMetrics().All() {
		counted := map[string]int{}
		for _, scope := range resource.ScopeMetrics().All() {
			for _, metric := range scope.Metrics().All() {
				if metric.Name() != samplesMetric {
					continue
				}
				for _, point := range metric.Sum().DataPoints().All() {
					name, _ := point.Attributes().Get("span.name")
					counted[name.Str()] = int(point.IntValue())
				}
			}
		}
		r.counted[serviceName(resource.Resource())] = counted // the counter is cumulative
	}
	return pmetricotlp.NewExportResponse(), nil
}

func (r *profilesReceiver) Export(_ context.Context, request pprofileotlp.ExportRequest) (
	pprofileotlp.ExportResponse, error,
) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	names := dictionary{request.Profiles().Dictionary()}
	table := names.LinkTable()
	for _, resource := range request.Profiles().ResourceProfiles().All() {
		service := serviceName(resource.Resource())
		for _, scope := range resource.ScopeProfiles().All() {
			for _, profile := range scope.Profiles().All() {
				for _, sample := range profile.Samples().All() {
					samples := samplesIn(sample)
					r.services[service] += samples
					to := table.At(int(sample.LinkIndex()))
					if !to.SpanID().IsEmpty() {
						traceID, spanID := to.TraceID().String(), to.SpanID().String()
						r.links[link{service, traceID, spanID}] = true
						r.linked[traceID+spanID] += samples
						if r.stacks[traceID+spanID] == nil {
							r.stacks[traceID+spanID] = map[string]int{}
						}
						r.stacks[traceID+spanID][names.stackOf(sample)] += samples
					}
				}
			}
		}
	}
	return pprofileotlp.NewExportResponse(), nil
}

func serviceName(resource pcommon.Resource) string {
	if value, found := resource.Attributes().Get("service.name"); found {
		return value.Str()
	}
	return ""
}

// ofService returns copies of the transactions of one service.
func (r *receiver) ofService(service string) []transaction {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var found []transaction
	for _, t := range r.transactions {
		if t.service == service {
			found = append(found, *t)
		}
	}
	return found
}

// firstCorrelated returns the arrival time of the first transaction that has a stack trace id and
// ended after a moment. Earlier ones may have been sampled by an earlier profiler.
func (r *receiver) firstCorrelated(service string, after time.Time) (time.Time, bool) {
	var first time.Time
	for _, t := range r.ofService(service) {
		late := t.ended.After(after) && len(t.stackIDs) > 0
		if late && (first.IsZero() || t.received.Before(first)) {
			first = t.received
		}
	}
	return first, !first.IsZero()
}

// samplesByMetric returns the samples that the plug-in's metric counts for each endpoint of a
// service.
func (r *receiver) samplesByMetric(service string) map[string]int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.counted[service]
}
