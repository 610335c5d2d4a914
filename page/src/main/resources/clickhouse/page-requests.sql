-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: of each endpoint, the slowest requests and those with the most of each kind, one in each step of the
-- others, and the one at the 99th percentile.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  keys of endpoints, or [] for all; all others are one endpoint, with the key 0
-- listed, step   the number of the largest requests by each measure, and the step between the others
-- complete   keys of endpoints of which all requests are read
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts requests.sql here.
    ,
    ranked AS (
        SELECT *, cityHash64(toString(name), service) AS ownKey,
            if(empty({endpoints:Array(UInt64)}) OR has({endpoints:Array(UInt64)}, ownKey), ownKey, 0) AS key,
            row_number() OVER (PARTITION BY key ORDER BY duration DESC, RootTraceId, RootId) AS place,
            row_number() OVER (PARTITION BY key ORDER BY cpuNanos DESC, duration DESC, RootTraceId, RootId) AS cpuPlace,
            row_number() OVER (PARTITION BY key ORDER BY waitNanos DESC, duration DESC, RootTraceId, RootId) AS waitPlace,
            row_number() OVER (PARTITION BY key ORDER BY allocatedBytes DESC, duration DESC, RootTraceId, RootId) AS allocatedPlace,
            row_number() OVER (PARTITION BY key ORDER BY lockNanos DESC, duration DESC, RootTraceId, RootId) AS lockPlace,
            place <= {listed:UInt64} OR cpuNanos > 0 AND cpuPlace <= {listed:UInt64}
                OR waitNanos > 0 AND waitPlace <= {listed:UInt64}
                OR allocatedBytes > 0 AND allocatedPlace <= {listed:UInt64}
                OR lockNanos > 0 AND lockPlace <= {listed:UInt64} AS isListed,
            countIf(hasDuration) OVER (PARTITION BY key) AS timed
        FROM requests
        WHERE reason = ''
    ),
    stepped AS (
        SELECT *, row_number() OVER (PARTITION BY key, isListed ORDER BY place) % {step:UInt64} = 1 % {step:UInt64} AS isAtStep
        FROM ranked
    )
SELECT reinterpretAsInt64(key) AS endpoint, isListed, NOT isListed AND isAtStep AS isOther,
    has({complete:Array(UInt64)}, key) AS isOfComplete, place = timed - toUInt64(ceil(0.99 * timed)) + 1 AS isP99, RootTraceId AS traceId, RootId AS spanId,
    start, hasDuration, duration, samples, cpuNanos, waits, waitNanos, allocations, allocatedBytes, locks, lockNanos,
    reinterpretAsInt64(cityHash64(RootTraceId, RootId)) AS request
FROM stepped
WHERE isListed OR isOther OR isP99 OR isOfComplete
ORDER BY endpoint, place
