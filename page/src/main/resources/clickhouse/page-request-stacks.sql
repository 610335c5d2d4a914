-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The samples of all requests of some endpoints by stack. The first row of each stack has its frames, the
-- outermost first.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  the keys of the endpoints
WITH
-- The program puts spans-and-samples.sql here.
    ,
    sums AS (
        SELECT RootTraceId, RootId, StackKey,
            sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
            sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
            sum(s.LockNanos) AS lockNanos
        FROM samples AS s
        INNER JOIN (
            SELECT SpanKey, RootTraceId, RootId
            FROM spans
            WHERE RootId != '' AND has({endpoints:Array(UInt64)}, RootKey)
                AND ({service:String} = '' OR RootServiceName = {service:String})
        ) AS roots ON roots.SpanKey = s.SpanKey
        GROUP BY RootTraceId, RootId, StackKey
        HAVING samples + waits + allocations + locks > 0
    )
SELECT RootTraceId AS traceId, RootId AS spanId, reinterpretAsInt64(sums.StackKey) AS stack,
    row_number() OVER (PARTITION BY sums.StackKey ORDER BY RootTraceId, RootId) = 1 AS isFirst,
    if(isFirst, arrayMap(frame -> frame.1, Frames), []) AS names,
    if(isFirst, arrayMap(frame -> frame.2, Frames), []) AS files,
    if(isFirst, arrayMap(frame -> frame.3, Frames), []) AS kinds, if(isFirst, RawNames, []) AS rawNames,
    samples, cpuNanos, waits, waitNanos, allocations, allocatedBytes, locks, lockNanos
FROM sums
INNER JOIN stacks ON stacks.StackKey = sums.StackKey
ORDER BY traceId, spanId, isFirst DESC, stack
