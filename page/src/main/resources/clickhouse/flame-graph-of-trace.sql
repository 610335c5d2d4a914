-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The flame graph of a trace as folded stacks, in nanoseconds of CPU time, for flamegraph.pl, inferno and
-- speedscope. Use it with FORMAT TSVRaw.
--
-- from, to   the range of time, UTC
-- traces     their ids, such as ['0123456789abcdef0123456789abcdef']
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
SELECT concat(arrayStringConcat(arrayMap(frame -> replaceAll(frame.1, ';', ':'), Frames), ';'), ' ', toString(sum(cpuNanos))) AS folded
FROM (
    SELECT StackKey, sum(CpuNanos) AS cpuNanos
    FROM samples AS s
    INNER JOIN (SELECT SpanKey FROM spans WHERE RootId != '') AS chosen ON chosen.SpanKey = s.SpanKey
    GROUP BY StackKey
    HAVING cpuNanos > 0
) AS sums
INNER JOIN stacks ON stacks.StackKey = sums.StackKey
GROUP BY Frames
ORDER BY folded
