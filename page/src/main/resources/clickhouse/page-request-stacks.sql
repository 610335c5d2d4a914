-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- The samples of all requests of some endpoints by stack. See rows-of-stacks.sql.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  the keys of the endpoints
WITH
-- The program puts spans-and-samples.sql here.
    ,
    sums AS (
        SELECT RootTraceId AS TraceId, RootId AS SpanId, StackKey,
-- The program puts sums-of-samples.sql here.
        FROM samples AS s
        INNER JOIN (
            SELECT SpanKey, RootTraceId, RootId
            FROM spans
            WHERE RootId != '' AND has({endpoints:Array(UInt64)}, RootKey)
                AND ({service:String} = '' OR RootService = {service:String})
        ) AS roots ON roots.SpanKey = s.SpanKey
        GROUP BY RootTraceId, RootId, StackKey
        HAVING samples + waits + allocations + locks > 0
    )
-- The program puts rows-of-stacks.sql here.
