-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the slowest requests of each endpoint, then one in each step, and the one at the 99th percentile.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- names, services   of endpoints; all others are one endpoint, with the number 0
-- listed, step      the number of slowest requests, and the step between the requests after them
--
-- The program puts the shared part of endpoints.sql before this one.
    ,
    ranked AS (
        SELECT *, indexOf(arrayZip({names:Array(String)}, {services:Array(String)}),
                (toString(name), service)) AS number,
            row_number() OVER (PARTITION BY number ORDER BY duration DESC, RootTraceId, RootId) AS place,
            count() OVER (PARTITION BY number) AS requests
        FROM requests
        WHERE reason = ''
    )
SELECT number, place, place = requests - toUInt64(ceil(0.99 * requests)) + 1 AS isP99, RootTraceId AS traceId, RootId AS spanId,
    start, duration, samples, cpuNanos, waits, waitNanos
FROM ranked
WHERE place <= {listed:UInt64} OR (place - 1 - {listed:UInt64}) % {step:UInt64} = 0 OR isP99
ORDER BY number, place
