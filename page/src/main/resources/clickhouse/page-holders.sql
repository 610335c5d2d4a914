-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the locks for which spans waited, from their begin to their end, and who held them last, the longest first.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
    holdings AS (
        SELECT cityHash64(TraceId, SpanId) AS WaitingKey, time, value,
            if(notEmpty(FunctionNames), toString(FunctionNames[1]), '') AS Lock,
            SampleAttributes['lock.holder.span_id'] AS HolderSpan,
            cityHash64(SampleAttributes['lock.holder.trace_id'], HolderSpan) AS HolderKey,
            SampleAttributes['lock.holder.not_sampled.span.name'] AS HolderNotSampled,
            SampleAttributes['lock.holder.thread.name'] AS HolderThread
        FROM otel_profiles
        ARRAY JOIN TimestampsUnixNano AS time, arrayResize(Values, length(TimestampsUnixNano)) AS value
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND SampleType = 'lock_holder' AND SampleUnit = 'nanoseconds' AND SpanId != ''
            AND length(Values) = length(TimestampsUnixNano) AND value BETWEEN 0 AND 31622400000000000 AND time >= 1000000000
    )
SELECT waiting.TraceId AS traceId, waiting.SpanId AS spanId,
    reinterpretAsInt64(any(cityHash64(waiting.RootTraceId, waiting.RootId))) AS request,
    reinterpretAsInt64(any(waiting.RootKey)) AS key, Lock AS lock, HolderSpan != '' AS isOfRequest,
    if(isOfRequest, holding.RootName, '') AS endpoint, HolderNotSampled AS notSampled, HolderThread AS thread,
    sum(least(toInt64(time) + value, toInt64(waiting.Start + waiting.SpanDuration), toInt64(waiting.RootStart + waiting.RootDuration))
        - greatest(toInt64(time), toInt64(waiting.Start)) AS amount) AS nanos
FROM holdings
INNER JOIN spans AS waiting ON waiting.SpanKey = WaitingKey
LEFT JOIN spans AS holding ON holding.SpanKey = HolderKey
WHERE waiting.RootId != '' AND ({service:String} = '' OR waiting.RootService = {service:String})
    AND amount > 0
GROUP BY traceId, spanId, lock, isOfRequest, endpoint, notSampled, thread
ORDER BY nanos DESC, traceId, spanId, lock, endpoint, notSampled, thread
