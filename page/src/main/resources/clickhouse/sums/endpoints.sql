-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- In place of the statement for the exporter's tables: the endpoints with the sums of their samples.
--
-- from, to   the range of time, UTC, in whole hours
-- service    of the local root spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
    -- A request that may have samples in several hours, or all others of the same kind.
    keyed AS (
        SELECT if(IsJoined, RootKey, 0) AS key, if(IsJoined, RequestKey, 0) AS request,
            multiIf(IsJoined, '', NOT HasLink, 'no Link', SpanHour > 0 AND SpanHour < {to:DateTime64(9, 'UTC')},
                'local root not received', 'span not received') AS reason,
            reason = '' AND request = 0 AS isSum, any(s.RootName) AS name, any(s.RootService) AS service, sum(s.Requests) AS requests,
            sum(s.RootDuration) AS duration, sumMap(s.Durations) AS durations,
-- The program puts sums-of-samples.sql here.
            , sum(s.Others) AS others,
            sum(s.CpuSquares) AS cpuSquares, sum(s.CpuCubes) AS cpuCubes,
            sum(s.WaitSquares) AS waitSquares, sum(s.WaitCubes) AS waitCubes,
            sum(s.AllocSquares) AS allocSquares, sum(s.AllocCubes) AS allocCubes,
            sum(s.LockSquares) AS lockSquares, sum(s.LockCubes) AS lockCubes
        FROM hourSums AS s
        WHERE {service:String} = '' OR if(IsJoined, RootService, ProfileService) = {service:String}
        GROUP BY key, request, reason
    )
SELECT if(reason = '', any(k.name), '') AS endpoint, if(reason = '', any(k.service), '') AS service, reason,
    sum(k.requests) AS requests, sum(k.duration) / greatest(1, arraySum(sumMap(k.durations).2)) AS meanNanos,
    percentile(sumMap(k.durations)) AS p99Nanos,
    sum(k.samples) AS samples, sum(k.cpuNanos) AS cpuNanos, sum(k.waits) AS waits, sum(k.waitNanos) AS waitNanos,
    sum(k.allocations) AS allocations, sum(k.allocatedBytes) AS allocatedBytes, sum(k.locks) AS locks,
    sum(k.lockNanos) AS lockNanos, sum(k.others) AS others,
    sum(if(isSum, k.cpuSquares, pow(k.cpuNanos, 2))) AS cpuSquares,
    sum(if(isSum, k.cpuCubes, pow(k.cpuNanos, 3))) AS cpuCubes,
    sum(if(isSum, k.waitSquares, pow(k.waitNanos, 2))) AS waitSquares,
    sum(if(isSum, k.waitCubes, pow(k.waitNanos, 3))) AS waitCubes,
    sum(if(isSum, k.allocSquares, pow(k.allocatedBytes, 2))) AS allocSquares,
    sum(if(isSum, k.allocCubes, pow(k.allocatedBytes, 3))) AS allocCubes,
    sum(if(isSum, k.lockSquares, pow(k.lockNanos, 2))) AS lockSquares,
    sum(if(isSum, k.lockCubes, pow(k.lockNanos, 3))) AS lockCubes,
    reinterpretAsInt64(cityHash64(toString(endpoint), service)) AS key
FROM keyed AS k
WHERE reason = '' OR k.samples + k.waits + k.allocations + k.locks + k.others > 0
GROUP BY k.key, reason
ORDER BY reason != '', cpuNanos DESC, endpoint, service
