-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- In place of the statement for the exporter's tables: no requests but the duration at the 99th percentile.
--
-- from, to   the range of time, UTC, in whole hours
-- service    of the local root spans, '' for all
-- endpoints  keys of endpoints, or [] for all; all others are one endpoint, with the key 0
WITH
-- The program puts spans-and-samples.sql here.
    ,
    counted AS (
        SELECT if(empty({endpoints:Array(UInt64)}) OR has({endpoints:Array(UInt64)}, RootKey), RootKey, 0) AS key,
            sumMap(Durations) AS durations
        FROM hourSums
        WHERE IsJoined AND ({service:String} = '' OR RootService = {service:String})
        GROUP BY key
    )
SELECT reinterpretAsInt64(key) AS endpoint, 0 AS isListed, 0 AS isOther, 0 AS isOfComplete, 1 AS isP99, '' AS traceId, '' AS spanId, 0 AS start,
    1 AS hasDuration, percentile(durations) AS duration, 0 AS samples, 0 AS cpuNanos, 0 AS waits, 0 AS waitNanos, 0 AS allocations,
    0 AS allocatedBytes, 0 AS locks, 0 AS lockNanos, 0 AS request
FROM counted
