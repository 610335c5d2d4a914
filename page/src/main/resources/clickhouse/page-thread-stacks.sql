-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: as page-stacks.sql, for the samples without a Link by threads.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
-- threads    keys of threads; all others share the key 0
-- most       the number of frames of each
WITH
-- The program puts spans-and-samples.sql here.
    ,
    joined AS (
        SELECT cityHash64(Process, ThreadName) AS key,
            if(has({threads:Array(UInt64)}, key), key, 0) AS number, StackKey, Line,
-- The program puts sums-of-samples.sql here.
            , sum(cpuNanos + waitNanos + allocatedBytes + lockNanos) OVER (PARTITION BY key) AS ofThread
        FROM samples AS s
        WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
        GROUP BY key, number, StackKey, Line
        HAVING samples + waits + allocations + locks > 0
        QUALIFY ofThread > 0
    ),
-- The program puts largest-frames.sql here.
