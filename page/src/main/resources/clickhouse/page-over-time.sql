-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: CPU time over time, of endpoints by key, of other samples with a Link (0) and of those without.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  their keys
-- most       the number of bins
WITH
-- The program puts the shared part of endpoints.sql here.
    ,
    moments AS (
        SELECT SpanKey, HasLink, ProfileService, intDiv(moment, 1000000000) AS second,
            -- A time far outside the range is one of a wrong clock.
            moment BETWEEN toUnixTimestamp64Nano({from:DateTime64(9, 'UTC')} - INTERVAL 1 HOUR)
                AND toUnixTimestamp64Nano({to:DateTime64(9, 'UTC')} + INTERVAL 1 HOUR) AS isNear,
            sum(intDiv(CpuNanos, length(Moments))) AS cpuNanos
        FROM samples
        ARRAY JOIN Moments AS moment
        -- A time outside this range is unknown.
        WHERE CpuNanos > 0 AND moment BETWEEN 1000000000 AND 2147483646999999999
        GROUP BY SpanKey, HasLink, ProfileService, second, isNear
    ),
    seconds AS (
        SELECT HasLink AS isLinked, if(has({endpoints:Array(UInt64)}, RootKey), RootKey, 0) AS key, isNear, second,
            sum(m.cpuNanos) AS cpuNanos, minIf(second, isNear) OVER () AS first, maxIf(second, isNear) OVER () AS last,
            intDiv(last - first + {most:UInt64}, {most:UInt64}) AS width
        FROM moments AS m
        LEFT JOIN spans ON spans.SpanKey = m.SpanKey
        WHERE {service:String} = '' OR if(RootId != '', RootServiceName, ProfileService) = {service:String}
        GROUP BY isLinked, key, isNear, second
    )
SELECT isLinked, reinterpretAsInt64(key) AS endpoint, isNear, first, last, width,
    if(isNear, intDiv(second - first, width), 0) AS bin, sum(seconds.cpuNanos) AS cpuNanos
FROM seconds
GROUP BY isLinked, endpoint, isNear, first, last, width, bin
ORDER BY isLinked, endpoint, isNear, bin
