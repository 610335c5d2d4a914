-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The 1,000 slowest requests of an endpoint by time, with their traces, in nanoseconds.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
-- endpoint   the name of the local root spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts requests.sql here.
SELECT time, endpoint, of AS service, durationNanos, cpuNanos, waitNanos, lockNanos, allocatedBytes, traceId, spanId
FROM (
    SELECT fromUnixTimestamp64Nano(toInt64(r.start), 'UTC') AS time, toString(r.name) AS endpoint, r.service AS of,
        r.duration AS durationNanos, r.cpuNanos AS cpuNanos, r.waitNanos AS waitNanos, r.lockNanos AS lockNanos,
        r.allocatedBytes AS allocatedBytes, RootTraceId AS traceId, RootId AS spanId
    FROM requests AS r
    WHERE reason = '' AND ({endpoint:String} = '' OR r.name = {endpoint:String})
    ORDER BY durationNanos DESC, traceId, spanId
    LIMIT 1000
)
ORDER BY time, traceId, spanId
