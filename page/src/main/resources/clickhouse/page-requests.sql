-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the slowest requests of each endpoint, then one in each step, and the one at the 99th percentile.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  keys of endpoints, or [] for all; all others are one endpoint, with the key 0
-- listed, step   the number of slowest requests, and the step between the requests after them
WITH
-- The program puts the shared part of endpoints.sql here.
    ,
    ranked AS (
        SELECT *, cityHash64(toString(name), service) AS ownKey,
            if(empty({endpoints:Array(UInt64)}) OR has({endpoints:Array(UInt64)}, ownKey), ownKey, 0) AS key,
            row_number() OVER (PARTITION BY key ORDER BY duration DESC, RootTraceId, RootId) AS place,
            count() OVER (PARTITION BY key) AS requests
        FROM requests
        WHERE reason = ''
    )
SELECT reinterpretAsInt64(key) AS endpoint, place, place = requests - toUInt64(ceil(0.99 * requests)) + 1 AS isP99, RootTraceId AS traceId, RootId AS spanId,
    start, duration, samples, cpuNanos, waits, waitNanos
FROM ranked
WHERE place <= {listed:UInt64} OR (place - 1 - {listed:UInt64}) % {step:UInt64} = 0 OR isP99
ORDER BY endpoint, place
