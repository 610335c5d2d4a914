-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the sums of spans by stack. The first row of each stack has its frames, the outermost first.
SELECT sums.TraceId AS traceId, sums.SpanId AS spanId, reinterpretAsInt64(sums.StackKey) AS stack,
    row_number() OVER (PARTITION BY sums.StackKey ORDER BY sums.TraceId, sums.SpanId) = 1 AS isFirst,
    if(isFirst, arrayMap(frame -> frame.1, Frames), []) AS names,
    if(isFirst, arrayMap(frame -> frame.2, Frames), []) AS files,
    if(isFirst, arrayMap(frame -> frame.3, Frames), []) AS kinds, if(isFirst, RawNames, []) AS rawNames,
    samples, cpuNanos, waits, waitNanos, allocations, allocatedBytes, locks, lockNanos
FROM sums
INNER JOIN stacks ON stacks.StackKey = sums.StackKey
ORDER BY traceId, spanId, isFirst DESC, stack
