-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the sums of samples, called s.
            sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
            sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
            sum(s.LockNanos) AS lockNanos
