-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The flame graph of an endpoint for Grafana's flame graph panel, in nanoseconds of CPU time.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
-- endpoint   the name of the local root spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
    sums AS (
        SELECT StackKey, sum(CpuNanos) AS cpuNanos
        FROM samples AS s
        INNER JOIN (SELECT SpanKey FROM spans WHERE RootId != ''
            AND ({endpoint:String} = '' OR RootName = {endpoint:String})
            AND ({service:String} = '' OR RootService = {service:String})) AS chosen ON chosen.SpanKey = s.SpanKey
        GROUP BY StackKey
        HAVING cpuNanos > 0
    ),
-- The program puts nested-set.sql here.
