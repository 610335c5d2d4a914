-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the amounts over time, of endpoints by key, of other samples with a Link (0) and of those without. The
-- bins begin with the first CPU time and end with the last, so other amounts may be before or after them.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  their keys
-- most       the number of bins
-- narrowest  of how many seconds bins have a multiple
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts moments.sql here.
    seconds AS (
        SELECT HasLink AS isLinked, if(has({endpoints:Array(UInt64)}, RootKey), RootKey, 0) AS key, isNear, second,
            sum(m.cpuNanos) AS cpuNanos, sum(m.waitNanos) AS waitNanos, sum(m.allocatedBytes) AS allocatedBytes,
            sum(m.lockNanos) AS lockNanos, minIf(second, isNear AND cpuNanos > 0) OVER () AS first,
            maxIf(second, isNear AND cpuNanos > 0) OVER () AS last,
            intDiv(last - first + {narrowest:UInt64} + {most:UInt64} * {narrowest:UInt64} - 1,
                {most:UInt64} * {narrowest:UInt64}) * {narrowest:UInt64} AS width
        FROM moments AS m
        LEFT JOIN spans ON spans.SpanKey = m.SpanKey
        WHERE {service:String} = '' OR if(RootId != '', RootService, ProfileService) = {service:String}
        GROUP BY isLinked, key, isNear, second
    )
SELECT isLinked, reinterpretAsInt64(key) AS endpoint, isNear, first, last, width,
    if(isNear, toInt64(floor((second - first) / width)), 0) AS bin, sum(seconds.cpuNanos) AS cpuNanos,
    sum(seconds.waitNanos) AS waitNanos, sum(seconds.allocatedBytes) AS allocatedBytes, sum(seconds.lockNanos) AS lockNanos
FROM seconds
GROUP BY isLinked, endpoint, isNear, first, last, width, bin
ORDER BY isLinked, endpoint, isNear, bin
