-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The 1,000 endpoints with the most CPU time: that of a request, and what it waited for, in nanoseconds.
-- These are sums of samples, of all threads: the page divides durations exactly. Stopped and ready are from spans with
-- exact times. Of waits for locks, this is the larger one of both measures.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts parts-of-spans.sql here.
    ,
    perEndpoint AS (
        SELECT endpointKey, count() AS requests, ifNull(avgOrNullIf(rootDuration, hasDuration), 0) AS mean,
            arraySort(groupArrayIf(rootDuration, hasDuration))[toUInt64(ceil(0.99 * countIf(hasDuration)))] AS p99,
            -- By the numbers of io.flamespan.page.timeline.Part, and 15 for samples of locks.
            sumMap(arrayMap(code -> multiIf(bitAnd(code, 15) = 0, 1, bitAnd(code, 15) IN (2, 3, 4),
                bitAnd(bitShiftRight(code, 4), 15), bitAnd(code, 15) = 5, 15, 14), codes),
                arrayMap((amount, size) -> amount * size, amounts, sizes)) AS sums,
            avgOrNullIf(exactSeconds[1], exactSeconds[1] >= 0) AS stopped,
            avgOrNullIf(exactSeconds[3], exactSeconds[3] >= 0) AS ready
        FROM measured
        GROUP BY endpointKey
    )
SELECT endpoint, service, requests, round(mean) AS meanNanos, p99 AS p99Nanos,
    round(sums.2[indexOf(sums.1, 1)] / requests) AS cpuNanosOfRequest, round(stopped * 1e9) AS stoppedNanosOfRequest,
    round(ready * 1e9) AS readyNanosOfRequest,
    round(greatest(sums.2[indexOf(sums.1, 4)], sums.2[indexOf(sums.1, 15)]) / requests) AS lockNanosOfRequest,
    round(sums.2[indexOf(sums.1, 5)] / requests) AS sleepNanosOfRequest,
    round(sums.2[indexOf(sums.1, 6)] / requests) AS ioNanosOfRequest,
    round(sums.2[indexOf(sums.1, 7)] / requests) AS poolNanosOfRequest,
    round(sums.2[indexOf(sums.1, 8)] / requests) AS classLoadingNanosOfRequest,
    round(sums.2[indexOf(sums.1, 10)] / requests) AS otherThreadNanosOfRequest,
    round(sums.2[indexOf(sums.1, 9)] / requests) AS otherWaitNanosOfRequest
FROM perEndpoint
INNER JOIN (
    SELECT RootKey, any(RootName) AS endpoint, any(RootService) AS service
    FROM spans
    WHERE RootId != ''
    GROUP BY RootKey
) AS named ON named.RootKey = perEndpoint.endpointKey
ORDER BY requests * cpuNanosOfRequest DESC, endpoint, service
LIMIT 1000
