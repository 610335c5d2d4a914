-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the sum of all samples, without the join, to check it.
--
-- from, to   the range of time, UTC
WITH
-- The program puts spans-and-samples.sql here.
SELECT sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
    sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
    sum(s.LockNanos) AS lockNanos, sum(s.Others) AS others
FROM samples AS s
