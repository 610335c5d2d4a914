-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The flame graph of a trace for Grafana's flame graph panel, in nanoseconds of CPU time.
--
-- from, to   the range of time, UTC
-- traces     their ids, such as ['0123456789abcdef0123456789abcdef']
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
    sums AS (
        SELECT StackKey, sum(CpuNanos) AS cpuNanos
        FROM samples AS s
        INNER JOIN (SELECT SpanKey FROM spans WHERE RootId != '' AND notEmpty({traces:Array(String)})) AS chosen
            ON chosen.SpanKey = s.SpanKey
        GROUP BY StackKey
        HAVING cpuNanos > 0
    ),
-- The program puts nested-set.sql here.
