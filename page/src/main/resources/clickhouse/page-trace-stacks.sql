-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples of traces by span and stack. See rows-of-stacks.sql.
--
-- from, to   the range of time, UTC
-- traces     their ids
WITH
-- The program puts spans-and-samples.sql here.
    ,
    sums AS (
        SELECT TraceId, SpanId, StackKey,
-- The program puts sums-of-samples.sql here.
        FROM samples AS s
        GROUP BY TraceId, SpanId, StackKey
        HAVING samples + waits + allocations + locks > 0
    )
-- The program puts rows-of-stacks.sql here.
