-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples without a Link by threads, by their names in io.flamespan.page.results.ThreadName, or by the requests
-- that are not sampled, as ThreadKey names them. The size is the
-- largest share of the CPU time, of the allocation or of the waits for locks. Of waits, it would be that of idle threads.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
WITH
-- The program puts spans-and-samples.sql here.
SELECT Process AS process, multiIf(NotSampled != '', concat('not sampled: ', NotSampled), Thread = '', '(no name)', match(Thread, '^C1 ?Compiler'), 'JIT C1', match(Thread, '^C2 ?Compiler'), 'JIT C2', match(Thread, '^JVMCI'), 'JIT JVMCI', match(Thread, '^(?:GC |G1 |ParGC|ParallelGC|Gang worker|Concurrent Mark|CMS |Shenandoah|[XZ](?:Director|Driver|Stat|Worker|Uncommitter|Unmapper))'), 'GC', match(Thread, '^(?:flamespan-|[Aa]sync-profiler)'), 'profiler',
            replaceRegexpOne(replaceRegexpAll(Thread, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|@[0-9a-f]{4,8}\\b|\\b(?:0x)?[0-9a-f]{8,}\\b|[0-9]+', '#'), '-$', '-#')) AS thread,
    reinterpretAsInt64(cityHash64(process, thread)) AS key,
    sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
    sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
    sum(s.LockNanos) AS lockNanos,
    greatest(cpuNanos / greatest(1, sum(cpuNanos) OVER ()), allocatedBytes / greatest(1, sum(allocatedBytes) OVER ()),
        lockNanos / greatest(1, sum(lockNanos) OVER ())) AS size
FROM samples AS s
WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
GROUP BY process, thread
HAVING cpuNanos + waitNanos + allocatedBytes + lockNanos > 0
ORDER BY size DESC, waitNanos DESC, thread, process
