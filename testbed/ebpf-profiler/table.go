// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"time"
)

// table prints a line for each check as soon as its result is known.
type table struct {
	failed int
}

func (t *table) row(what, figure string, good bool) {
	verdict := "ok    "
	if !good {
		verdict = "FAILED"
		t.failed++
	}
	fmt.Printf("%s  %-66s  %s\n", verdict, what, figure)
}

// seconds prints the median and the longest time; the check fails if times are missing or far too
// long.
func (t *table) seconds(what string, times []time.Duration, expected int) {
	if len(times) == 0 {
		t.row(what, fmt.Sprintf("never, of %d", expected), false)
		return
	}
	longest := slices.Max(times)
	t.row(what, fmt.Sprintf("%d of %d, median %.1f s, longest %.1f s", len(times), expected,
		median(times).Seconds(), longest.Seconds()), len(times) == expected && longest < 10*time.Second)
}
