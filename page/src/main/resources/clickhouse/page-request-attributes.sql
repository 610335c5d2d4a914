-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The attributes of all requests of some endpoints that have few values, as io.flamespan.page.model.FewValues
-- has them, and the version of the service.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  the keys of the endpoints
WITH
-- The program puts spans-and-samples.sql here.
    ,
    attributes AS (
        SELECT TraceId, SpanId,
            mapUpdate(mapFilter((name, value) -> name = 'service.version', ResourceAttributes), SpanAttributes) AS every,
            mapApply((name, value) -> (name, multiIf(
                    substring(value, 1, 1) IN ('[', '{') AND isValidJSON(value), '(array or map)',
                    value = '', '(empty)',
                    lengthUTF8(value) > 100, concat(substringUTF8(value, 1, 90), ' #', lower(leftPad(hex(CRC32(value)), 8, '0'))),
                    value)),
                -- Which have other uses.
                mapFilter((name, value) -> name NOT IN ('jvm.stopped.time', 'thread.cpu.time', 'thread.run_queue.time',
                    'elastic.profiler_stack_trace_ids'), every)) AS short
        FROM otel_traces
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND (TraceId, SpanId) IN (SELECT RootTraceId, RootId FROM spans WHERE RootId != '')
    ),
    few AS (
        SELECT name
        FROM attributes
        ARRAY JOIN mapKeys(short) AS name, mapValues(short) AS value
        GROUP BY name
        HAVING uniqUpTo(50)(value) <= 50
    )
SELECT TraceId AS traceId, SpanId AS spanId,
    mapFilter((name, value) -> name IN (SELECT name FROM few), short) AS ofRequest,
    mapKeys(ofRequest) AS names, mapValues(ofRequest) AS values
FROM attributes
WHERE (TraceId, SpanId) IN (
    SELECT RootTraceId, RootId
    FROM spans
    WHERE RootId != '' AND has({endpoints:Array(UInt64)}, RootKey)
        AND ({service:String} = '' OR RootService = {service:String}))
