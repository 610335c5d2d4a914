-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the largest frames of the flame graph of each endpoint. A row has the samples in the frame and all below
-- it, those in the frame itself, and the CPU time and waits of the latter by line. A hash of the frame and its callers identifies
-- it; 0 is the root.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- endpoints  keys of endpoints, or [] for all; all others are one endpoint, with the key 0
-- most       the number of frames of each endpoint
WITH
-- The program puts spans-and-samples.sql here.
    ,
    joined AS (
        SELECT number, StackKey, Line,
-- The program puts sums-of-samples.sql here.
        FROM samples AS s
        INNER JOIN (
            SELECT SpanKey,
                if(empty({endpoints:Array(UInt64)}) OR has({endpoints:Array(UInt64)}, RootKey), RootKey, 0) AS number
            FROM spans
            WHERE RootId != '' AND ({service:String} = '' OR RootService = {service:String})
        ) AS roots ON roots.SpanKey = s.SpanKey
        GROUP BY number, StackKey, Line
        HAVING samples + waits + allocations + locks > 0
    ),
-- The program puts largest-frames.sql here.
