-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples without a Link by threads, by their names in io.flamespan.page.results.ThreadName. The size is the
-- largest share of the CPU time, of the allocation or of the waits for locks. Of waits, it would be that of idle threads.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
WITH
-- The program puts spans-and-samples.sql here.
SELECT Process AS process, ThreadName AS thread, reinterpretAsInt64(cityHash64(process, thread)) AS key,
-- The program puts sums-of-samples.sql here.
    , greatest(cpuNanos / greatest(1, sum(cpuNanos) OVER ()), allocatedBytes / greatest(1, sum(allocatedBytes) OVER ()),
        lockNanos / greatest(1, sum(lockNanos) OVER ())) AS size
FROM samples AS s
WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
GROUP BY process, thread
HAVING cpuNanos + waitNanos + allocatedBytes + lockNanos > 0
ORDER BY size DESC, waitNanos DESC, thread, process
