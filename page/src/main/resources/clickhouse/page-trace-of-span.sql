-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For answers: the trace of a span.
--
-- from, to   the range of time, UTC
-- span       its id
SELECT TraceId AS traceId
FROM otel_traces
WHERE Timestamp >= {from:DateTime64(9, 'UTC')} - INTERVAL 10 MINUTE AND Timestamp < {to:DateTime64(9, 'UTC')}
    AND SpanId = {span:String}
LIMIT 1
