-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: CPU time over time, of endpoints by number, of other samples with a Link (0) and of those without (-1).
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- names, services   of the endpoints
-- most              the number of bins
--
-- The program puts the shared part of endpoints.sql before this one.
    ,
    moments AS (
        SELECT SpanKey, HasLink, ProfileService, intDiv(moment, 1000000000) AS second,
            sum(intDiv(CpuNanos, length(Moments))) AS cpuNanos
        FROM samples
        ARRAY JOIN Moments AS moment
        -- A time outside this range is unknown.
        WHERE CpuNanos > 0 AND moment BETWEEN 1000000000 AND 2147483646999999999
        GROUP BY SpanKey, HasLink, ProfileService, second
    ),
    seconds AS (
        SELECT if(NOT HasLink, toInt32(-1), toInt32(indexOf(arrayZip({names:Array(String)}, {services:Array(String)}),
                (toString(RootName), RootService)))) AS number,
            second, sum(m.cpuNanos) AS cpuNanos, min(second) OVER () AS first, max(second) OVER () AS last,
            intDiv(last - first + {most:UInt64}, {most:UInt64}) AS width
        FROM moments AS m
        LEFT JOIN spans ON spans.SpanKey = m.SpanKey
        WHERE {service:String} = '' OR if(RootId != '', RootServiceName, ProfileService) = {service:String}
        GROUP BY number, second
    )
SELECT number, first, last, width, intDiv(second - first, width) AS bin, sum(seconds.cpuNanos) AS cpuNanos
FROM seconds
GROUP BY number, first, last, width, bin
ORDER BY number, bin
