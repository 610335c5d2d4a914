-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the spans of traces, and the samples that name each of them.
--
-- from, to   the range of time, UTC
-- traces     their ids
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts parts-of-spans.sql here.
    ,
    partsOfSpans AS (
        SELECT AlikeSpan AS PartSpan, groupArray(nanos) AS amounts, groupArray(number) AS numbers, groupArray(code) AS codes,
            groupArray(toInt64(length(times))) AS sizes, groupArrayArray(times) AS moments,
            toInt64(round(max(alike.cpuPeriod))) AS cpuPeriod
        FROM alike
        GROUP BY PartSpan
    ),
    linked AS (
        SELECT SpanKey,
-- The program puts sums-of-samples.sql here.
        FROM samples AS s
        GROUP BY SpanKey
    )
SELECT spans.TraceId AS traceId, spans.SpanId AS spanId, ParentId AS parentId, Name AS name, Service AS service,
    RootId AS rootId, Start AS start, SpanDuration AS duration, IsRoot AS isRoot, Failed AS failed,
    linked.samples AS samples, linked.cpuNanos AS cpuNanos, linked.waits AS waits, linked.waitNanos AS waitNanos,
    linked.allocations AS allocations, linked.allocatedBytes AS allocatedBytes, linked.locks AS locks,
    linked.lockNanos AS lockNanos, reinterpretAsInt64(RootProcess) AS process, amounts, numbers, codes, sizes,
    moments, cpuPeriod,
    if(ExactSpan = '', [-1., -1., -1.], [exacts.stopped, exacts.cpu, exacts.runQueue]) AS exactSeconds
FROM spans
LEFT JOIN linked ON linked.SpanKey = spans.SpanKey
LEFT JOIN partsOfSpans ON partsOfSpans.PartSpan = spans.SpanKey
LEFT JOIN exacts ON exacts.ExactTrace = spans.TraceId AND exacts.ExactSpan = spans.SpanId
ORDER BY traceId, start, spanId
