// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/pprofile"
)

// dictionary holds the names that the samples of a message refer to.
type dictionary struct{ pprofile.ProfilesDictionary }

// stackOf returns the function names of a sample, leaf first. A frame without a name is shown as
// file and address.
func (d dictionary) stackOf(sample pprofile.Sample) string {
	var frames []string
	stack := d.StackTable().At(int(sample.StackIndex()))
	for _, index := range stack.LocationIndices().All() {
		location := d.LocationTable().At(int(index))
		for _, line := range location.Lines().All() {
			function := d.FunctionTable().At(int(line.FunctionIndex()))
			frames = append(frames, d.StringTable().At(int(function.NameStrindex())))
		}
		if location.Lines().Len() == 0 {
			file := d.MappingTable().At(int(location.MappingIndex())).FilenameStrindex()
			frames = append(frames,
				fmt.Sprintf("%s+%x", d.StringTable().At(int(file)), location.Address()))
		}
	}
	return strings.Join(frames, ";")
}

// ambiguity counts the stack trace ids that stand for more than one stack.
type ambiguity struct {
	ids, ambiguousIDs         int
	samples, ambiguousSamples int
}

func (a ambiguity) String() string {
	return fmt.Sprintf("%d of %d, with %d of %d samples",
		a.ambiguousIDs, a.ids, a.ambiguousSamples, a.samples)
}

// idsByStack considers only transactions whose samples all have the same id and the same stack,
// because then the two certainly belong together. It counts per process: the JVM names the classes
// of lambdas differently in each process.
func (r *receiver) idsByStack() ambiguity {
	stacks, samples := map[string]map[string]bool{}, map[string]int{}
	for key, t := range r.transactions {
		ids := slices.Compact(slices.Sorted(slices.Values(t.stackIDs)))
		if len(ids) != 1 || len(r.stacks[key]) != 1 || len(t.stackIDs) != r.linked[key] {
			continue
		}
		id := t.service + " " + ids[0]
		if stacks[id] == nil {
			stacks[id] = map[string]bool{}
		}
		for stack := range r.stacks[key] {
			stacks[id][stack] = true
		}
		samples[id] += len(t.stackIDs)
	}
	var found ambiguity
	for id, of := range stacks {
		found.ids++
		found.samples += samples[id]
		if len(of) > 1 {
			found.ambiguousIDs++
			found.ambiguousSamples += samples[id]
		}
	}
	return found
}
