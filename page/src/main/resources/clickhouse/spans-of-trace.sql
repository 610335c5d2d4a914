-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The spans of a trace for Grafana's traces panel, with the CPU time of each in nanoseconds as the tag cpu.nanos.
--
-- from, to   the range of time, UTC
-- traces     their ids, such as ['0123456789abcdef0123456789abcdef']
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
    linked AS (
        SELECT SpanKey, sum(CpuNanos) AS nanos
        FROM samples
        GROUP BY SpanKey
    )
SELECT t.TraceId AS traceID, t.SpanId AS spanID, t.ParentSpanId AS parentSpanID, toString(t.ServiceName) AS serviceName,
    toString(t.SpanName) AS operationName, toUnixTimestamp64Nano(t.Timestamp) / 1e6 AS startTime,
    if(t.Duration < 9223372036854775808, t.Duration, 0) / 1e6 AS duration,
    arrayConcat([map('key', 'cpu.nanos', 'value', toString(nanos))],
        arrayMap(name -> map('key', toString(name), 'value', t.SpanAttributes[name]), mapKeys(t.SpanAttributes))) AS tags,
    arrayMap(name -> map('key', toString(name), 'value', t.ResourceAttributes[name]), mapKeys(t.ResourceAttributes)) AS serviceTags,
    if(t.StatusCode = 'Error', 2, 0) AS statusCode
FROM otel_traces AS t
LEFT JOIN linked ON linked.SpanKey = cityHash64(t.TraceId, t.SpanId)
WHERE t.Timestamp >= {from:DateTime64(9, 'UTC')} - INTERVAL 10 MINUTE AND t.Timestamp < {to:DateTime64(9, 'UTC')}
    AND t.TraceId IN {traces:Array(String)}
    AND ({environment:String} = '' OR t.ResourceAttributes['deployment.environment.name'] = {environment:String}
        OR t.ResourceAttributes['deployment.environment'] = {environment:String})
ORDER BY startTime, spanID
LIMIT 1 BY spanID
