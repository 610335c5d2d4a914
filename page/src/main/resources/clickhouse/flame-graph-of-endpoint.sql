-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The flame graph of an endpoint as folded stacks, in nanoseconds of CPU time, for flamegraph.pl, inferno and
-- speedscope. Use it with FORMAT TSVRaw.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
-- endpoint   the name of the local root spans
WITH
-- The program puts spans-and-samples.sql here.
SELECT concat(arrayStringConcat(arrayMap(frame -> replaceAll(frame.1, ';', ':'), Frames), ';'), ' ', toString(sum(cpuNanos))) AS folded
FROM (
    SELECT StackKey, sum(CpuNanos) AS cpuNanos
    FROM samples AS s
    INNER JOIN (SELECT SpanKey FROM spans WHERE RootName = {endpoint:String}
        AND ({service:String} = '' OR RootService = {service:String})) AS chosen ON chosen.SpanKey = s.SpanKey
    GROUP BY StackKey
    HAVING cpuNanos > 0
) AS sums
INNER JOIN stacks ON stacks.StackKey = sums.StackKey
GROUP BY Frames
ORDER BY folded
