-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Endpoints, the one with the most CPU time first, in nanoseconds. Rows with a reason sum up the samples that name
-- no request. The column others has samples of none of the kinds, which no other column has.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts requests.sql here.
SELECT name AS endpoint, service, reason, countIf(RootId != '') AS requests,
    ifNull(avgOrNullIf(duration, hasDuration), 0) AS meanNanos,
    arraySort(groupArrayIf(duration, hasDuration))[toUInt64(ceil(0.99 * countIf(hasDuration)))] AS p99Nanos,
    sum(r.samples) AS samples, sum(r.cpuNanos) AS cpuNanos, sum(r.waits) AS waits, sum(r.waitNanos) AS waitNanos,
    sum(r.allocations) AS allocations, sum(r.allocatedBytes) AS allocatedBytes, sum(r.locks) AS locks,
    sum(r.lockNanos) AS lockNanos, sum(r.others) AS others,
    sum(pow(r.cpuNanos, 2)) AS cpuSquares, sum(pow(r.cpuNanos, 3)) AS cpuCubes,
    sum(pow(r.waitNanos, 2)) AS waitSquares, sum(pow(r.waitNanos, 3)) AS waitCubes,
    sum(pow(r.allocatedBytes, 2)) AS allocSquares, sum(pow(r.allocatedBytes, 3)) AS allocCubes,
    sum(pow(r.lockNanos, 2)) AS lockSquares, sum(pow(r.lockNanos, 3)) AS lockCubes,
    reinterpretAsInt64(cityHash64(toString(endpoint), service)) AS key
FROM requests AS r
-- Rows without a request and without samples are the rest of a trace that began before the range.
WHERE reason = '' OR r.samples + r.waits + r.allocations + r.locks + r.others > 0
GROUP BY endpoint, service, reason
ORDER BY reason != '', cpuNanos DESC, endpoint, service
