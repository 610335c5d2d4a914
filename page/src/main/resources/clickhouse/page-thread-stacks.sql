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
        SELECT cityHash64(Process, multiIf(NotSampled != '', concat('not sampled: ', NotSampled), Thread = '', '(no name)', match(Thread, '^C1 ?Compiler'), 'JIT C1', match(Thread, '^C2 ?Compiler'), 'JIT C2', match(Thread, '^JVMCI'), 'JIT JVMCI', match(Thread, '^(?:GC |G1 |ParGC|ParallelGC|Gang worker|Concurrent Mark|CMS |Shenandoah|[XZ](?:Director|Driver|Stat|Worker|Uncommitter|Unmapper))'), 'GC', match(Thread, '^(?:flamespan-|[Aa]sync-profiler)'), 'profiler',
            replaceRegexpOne(replaceRegexpAll(Thread, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|@[0-9a-f]{4,8}\\b|\\b(?:0x)?[0-9a-f]{8,}\\b|[0-9]+', '#'), '-$', '-#'))) AS key,
            if(has({threads:Array(UInt64)}, key), key, 0) AS number, StackKey, Line,
            sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos,
            sum(s.Allocations) AS allocations, sum(s.AllocatedBytes) AS allocatedBytes, sum(s.Locks) AS locks,
            sum(s.LockNanos) AS lockNanos,
            sum(cpuNanos + waitNanos + allocatedBytes + lockNanos) OVER (PARTITION BY key) AS ofThread
        FROM samples AS s
        WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
        GROUP BY key, number, StackKey, Line
        HAVING samples + waits + allocations + locks > 0
        QUALIFY ofThread > 0
    ),
-- The program puts largest-frames.sql here.
