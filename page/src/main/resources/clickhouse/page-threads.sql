-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples without a Link by threads, with # in place of each number in their names. The size is the
-- largest share of the CPU time, of the allocation or of the waits for locks. Of waits, it would be that of idle threads.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
WITH
-- The program puts the shared part of endpoints.sql here.
SELECT Process AS process, replaceRegexpAll(if(Thread = '', '(no name)', Thread), '[0-9]+', '#') AS thread,
    reinterpretAsInt64(cityHash64(process, thread)) AS key,
    sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
    sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
    sum(s.LockNanos) AS lockNanos,
    greatest(cpuNanos / greatest(1, sum(cpuNanos) OVER ()), allocatedBytes / greatest(1, sum(allocatedBytes) OVER ()),
        lockNanos / greatest(1, sum(lockNanos) OVER ())) AS size
FROM samples AS s
WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
GROUP BY process, thread
HAVING cpuNanos + allocatedBytes + lockNanos > 0
ORDER BY size DESC, thread, process
