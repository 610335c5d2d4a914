-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the spans with their local root spans, the samples, and the stacks. The page takes flags from
-- the column Flags, and kinds of frames from LocationAttributes, of tables that have them.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- environment   of the spans (deployment.environment.name), '' for all
    received AS (
        SELECT TraceId, SpanId, ParentSpanId, SpanName, SpanKind, Timestamp, StatusCode, toUInt32(0) AS Flags,
            Duration < 9223372036854775808 AS HasDuration, if(HasDuration, Duration, 0) AS SpanDuration, -- unless it ended before it began
            ResourceAttributes['service.namespace'] AS Namespace, ResourceAttributes['service.version'] AS Version,
            concat(if(Namespace = '', '', concat(Namespace, '/')),
                if(ServiceName = '', '(service unknown)', ServiceName)) AS Service,
            cityHash64(Namespace, ServiceName, ResourceAttributes['service.instance.id']) AS Process
        FROM otel_traces
        -- With some time before the range, which has the parents of spans whose request began there.
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} - INTERVAL 10 MINUTE AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND (empty({traces:Array(String)}) OR TraceId IN {traces:Array(String)})
            AND TraceId != '' AND SpanId != ''
            AND ({environment:String} = '' OR ResourceAttributes['deployment.environment.name'] = {environment:String}
                OR ResourceAttributes['deployment.environment'] = {environment:String})
    ),
    -- Of spans whose parents are not among these, the earlier spans of the last day, as requests may take long.
    earlier AS (
        SELECT TraceId, SpanId, ParentSpanId, SpanName, SpanKind, Timestamp, StatusCode, toUInt32(0) AS Flags,
            Duration < 9223372036854775808 AS HasDuration, if(HasDuration, Duration, 0) AS SpanDuration,
            ResourceAttributes['service.namespace'] AS Namespace, ResourceAttributes['service.version'] AS Version,
            concat(if(Namespace = '', '', concat(Namespace, '/')),
                if(ServiceName = '', '(service unknown)', ServiceName)) AS Service,
            cityHash64(Namespace, ServiceName, ResourceAttributes['service.instance.id']) AS Process
        FROM otel_traces
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} - INTERVAL 1 DAY
            AND Timestamp < {from:DateTime64(9, 'UTC')} - INTERVAL 10 MINUTE AND SpanId != ''
            AND ({environment:String} = '' OR ResourceAttributes['deployment.environment.name'] = {environment:String}
                OR ResourceAttributes['deployment.environment'] = {environment:String})
            AND TraceId IN (
                SELECT TraceId
                FROM received
                WHERE ParentSpanId != '' AND SpanKind NOT IN ('Server', 'Consumer')
                    AND cityHash64(TraceId, ParentSpanId) NOT IN (SELECT cityHash64(TraceId, SpanId) FROM received))
    ),
    traces AS (
        SELECT TraceId, groupArray(SpanId) AS ids, groupArray(ParentSpanId) AS parentIds,
            groupArray(SpanName) AS names, groupArray(SpanKind) AS kinds,
            groupArray(toUnixTimestamp64Nano(Timestamp)) AS starts, groupArray(SpanDuration) AS durations,
            groupArray(HasDuration) AS haveDurations,
            groupArray(StatusCode = 'Error') AS failures, groupArray(Service) AS services,
            groupArray(Version) AS versions, groupArray(Process) AS processes,
            groupArray(Flags) AS flags,
            -- A span that was received several times counts once.
            arrayEnumerateUniq(ids) AS copies,
            arrayFilter((place, copy) -> copy = 1, arrayEnumerate(ids), copies) AS firsts,
            -- The position of each parent in these arrays, 0 if it was not received.
            arrayMap(number -> if(number <= length(firsts), firsts[number], 0),
                arraySlice(arrayEnumerateDense(arrayConcat(ids, parentIds)), length(ids) + 1)) AS parents,
            -- Flags say whether a parent is in another process. Without flags, the processes and the kinds do.
            arrayMap((place, parent) -> if(parentIds[place] != '' AND bitTest(flags[place], 8), bitTest(flags[place], 9),
                    parent = 0 OR processes[parent] != processes[place]
                        OR (kinds[parent] IN ('Client', 'Producer') AND kinds[place] IN ('Server', 'Consumer'))),
                arrayEnumerate(ids), parents) AS areRoots,
            arrayMap((place, parent, isRoot) -> if(isRoot, place, parent),
                arrayEnumerate(ids), parents, areRoots) AS steps,
            -- Each round doubles the steps, so that all reach a root, except spans that are parents of each other.
            arrayFold((ends, round) -> arrayMap(place -> ends[place], ends),
                range(toUInt8(ceil(log2(length(ids) + 1)))), steps) AS ends,
            arrayMap(place -> if(areRoots[place]
                    AND starts[place] >= toUnixTimestamp64Nano({from:DateTime64(9, 'UTC')}), place, 0), ends) AS roots
        FROM (SELECT * FROM received UNION ALL SELECT * FROM earlier)
        GROUP BY TraceId
    ),
    spans AS (
        SELECT TraceId, SpanId, ParentId, Name, Start, Duration AS SpanDuration, Failed, Service, IsRoot, 1 AS IsReceived,
            cityHash64(TraceId, SpanId) AS SpanKey,
            -- All of this is empty if the local root span was not received, or began before the range.
            if(root = 0, '', TraceId) AS RootTraceId,
            if(root = 0, '', ids[root]) AS RootId,
            if(root = 0, '', names[root]) AS RootName,
            if(root = 0, '', services[root]) AS RootService,
            if(root = 0, 0, cityHash64(toString(RootName), RootService)) AS RootKey, -- identifies the endpoint
            if(root = 0, '', versions[root]) AS RootVersion,
            if(root = 0, 0, starts[root]) AS RootStart,
            if(root = 0, 0, durations[root]) AS RootDuration,
            if(root = 0, 0, haveDurations[root]) AS RootHasDuration,
            if(root = 0, 0, processes[root]) AS RootProcess
        FROM traces
        ARRAY JOIN ids AS SpanId, parentIds AS ParentId, names AS Name, starts AS Start, durations AS Duration,
            failures AS Failed, services AS Service, areRoots AS IsRoot, roots AS root, copies AS copy
        WHERE copy = 1
    ),
    samples AS (
        SELECT TraceId, SpanId,
            -- Or the name of the local root span, if that is not sampled, as in io.flamespan.page.results.ThreadKey.
            if(SampleAttributes['not_sampled.span.name'] != '', concat('not sampled: ', SampleAttributes['not_sampled.span.name']), SampleAttributes['thread.name']) AS Thread,
            ResourceAttributes['service.namespace'] AS ProfileNamespace,
            concat(if(ProfileNamespace = '', '', concat(ProfileNamespace, '/')),
                if(ServiceName = '', '(service unknown)', ServiceName)) AS ProfileService,
            if(ServiceName = '', ResourceAttributes['process.executable.name'], ProfileService) AS Process,
            ['nanoseconds', 'nanosecond', 'ns', 'microseconds', 'us', 'milliseconds', 'ms', 'seconds', 's'] AS units,
            [1., 1., 1., 1e3, 1e3, 1e6, 1e6, 1e9, 1e9] AS nanosOfUnits,
            transform(toString(SampleUnit), units, nanosOfUnits, 0.) AS UnitNanos,
            Period * transform(toString(PeriodUnit), units, nanosOfUnits, 0.) AS PeriodNanos,
            UnitNanos = 0 AND SampleUnit != 'bytes' AS IsCounted,
            SampleUnit IN ('count', 'counts', 'samples', '') AS IsNumber,
            -- A time without a value was taken once a period. Nothing is known of one without a period.
            IsCounted OR empty(Values) AS IsByPeriod,
            -- The last two are engines of async-profiler; so is perf_events, of whose events some are not times.
            ['cpu', 'on-cpu', 'on_cpu', 'ctimer', 'itimer'] AS cpuTypes,
            -- The kinds, as io.flamespan.page.model.Unit has them. A sample of none of them is one of the others.
            (PeriodNanos > 0 OR NOT IsByPeriod) AND (UnitNanos > 0 OR IsNumber)
                AND (has(cpuTypes, toString(SampleType)) OR SampleType = 'perf_events'
                    OR SampleType IN ('samples', '') AND (IsNumber AND PeriodType = '' OR has(cpuTypes, toString(PeriodType)))
                    OR SampleType = 'events' AND IsNumber AND has(cpuTypes, toString(PeriodType))) AS IsCpu,
            SampleType IN ('off_cpu', 'off-cpu', 'events') AND UnitNanos > 0 AS IsWait,
            SampleType IN ('alloc_space', 'alloc', 'allocations') AND SampleUnit = 'bytes' AS IsAllocation,
            SampleType IN ('lock', 'locks') AND UnitNanos > 0 AS IsLock,
            SampleType = 'runnable' AND UnitNanos > 0 AS IsRunnable,
            SampleType = 'lock_holder' AND SampleUnit = 'nanoseconds' AS IsHolder,
            (SampleType = 'runnable' OR IsHolder OR SampleType IN ('jvm_stopped', 'cpu_throttled') AND SampleUnit = 'nanoseconds')
                AND UnitNanos > 0 AS IsOnlyInTime,
            multiIf(NOT IsCounted, toInt64(greatest(length(Values), length(TimestampsUnixNano))),
                empty(Values), toInt64(length(TimestampsUnixNano)), arraySum(Values)) AS Counted,
            toInt64(floor(0.5 + if(IsCounted OR IsCpu AND empty(Values), Counted * PeriodNanos,
                arraySum(Values) * if(IsAllocation, 1, UnitNanos)))) AS Amount,
            if(IsCpu, Counted, 0) AS Samples, if(IsCpu, Amount, 0) AS CpuNanos,
            if(IsWait, Counted, 0) AS Waits, if(IsWait, Amount, 0) AS WaitNanos,
            if(IsAllocation, Counted, 0) AS Allocations, if(IsAllocation, Amount, 0) AS AllocatedBytes,
            if(IsLock, Counted, 0) AS Locks, if(IsLock, Amount, 0) AS LockNanos,
            if(IsCpu OR IsWait OR IsAllocation OR IsLock OR IsOnlyInTime, 0, Counted) AS Others,
            cityHash64(ProfileNamespace, ServiceName, ResourceAttributes['service.instance.id']) AS ProfileProcess,
            -- A number for the thread, 0 if it is unknown.
            ifNull(toString(toInt64OrNull(SampleAttributes['thread.id'])), Thread) AS threadKey,
            if(threadKey = '', 0, toInt64(bitAnd(cityHash64(threadKey), 1073741823)) + 1) AS ThreadNumber,
            toUInt64(greatest(0, toUnixTimestamp64Nano(Timestamp))) AS begin,
            length(TimestampsUnixNano) AS parts,
            -- Each time, 0 if it is unknown, with its amount and number. The parts have the sum of the whole.
            multiIf(parts = 0, [(if(DurationNano > 0 AND intDiv(begin, 1000000000) = intDiv(begin + DurationNano, 1000000000), begin, 0),
                    Amount, Counted)],
                NOT IsByPeriod AND length(Values) = parts,
                    arrayMap((time, value) -> (time, toInt64(floor(0.5 + value * UnitNanos)), toInt64(1)), TimestampsUnixNano, Values),
                arrayMap((time, part) -> (time, if(part < parts, intDiv(Amount, parts), Amount - intDiv(Amount, parts) * (parts - 1)),
                    intDiv(Counted * part, parts) - intDiv(Counted * (part - 1), parts)), TimestampsUnixNano, arrayEnumerate(TimestampsUnixNano))) AS entries,
            arrayMap(entry -> (if(entry.1 BETWEEN 1000000000 AND 2147483646999999999, toInt64(entry.1), 0), toInt64(entry.2), toInt64(entry.3)),
                entries) AS Entries,
            if(empty(TimestampsUnixNano), [toUInt64(greatest(0, toUnixTimestamp64Nano(Timestamp)))],
                TimestampsUnixNano) AS Moments,
            cityHash64(TraceId, SpanId) AS SpanKey,
            TraceId != '' AND SpanId != '' AS HasLink,
            cityHash64(StackHash, MappingFileNames, emptyArrayString()) AS StackKey,
            Timestamp AS ProfileTime,
            greatest(0, LineNumbers[1]) AS Line, -- of the innermost frame, 0 if it is unknown
            -- As io.flamespan.page.results.ThreadName has it.
            multiIf(Thread = '', '(no name)', match(Thread, '^C1 ?Compiler'), 'JIT C1', match(Thread, '^C2 ?Compiler'), 'JIT C2', match(Thread, '^JVMCI'), 'JIT JVMCI', match(Thread, '^(?:GC |G1 |ParGC|ParallelGC|Gang worker|Concurrent Mark|CMS |Shenandoah|[XZ](?:Director|Driver|Stat|Worker|Uncommitter|Unmapper))'), 'GC', match(Thread, '^(?:flamespan-|[Aa]sync-profiler)'), 'profiler',
            replaceRegexpOne(replaceRegexpAll(Thread, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|@[0-9a-f]{4,8}\\b|\\b(?:0x)?[0-9a-f]{8,}\\b|[0-9]+', '#'), '-$', '-#')) AS ThreadName
        FROM otel_profiles
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND (empty({traces:Array(String)}) OR TraceId IN {traces:Array(String)})
    ),
    -- The names of the frames come from one sample of each stack.
    receivedStacks AS (
        SELECT cityHash64(StackHash, MappingFileNames, emptyArrayString()) AS StackKey,
            arrayReverse(arrayZip(any(FunctionNames), any(FileNames), any(MappingFileNames),
                any(arrayResize(emptyArrayString(), length(FunctionNames), '')))) AS received
        FROM otel_profiles
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND (empty({traces:Array(String)}) OR TraceId IN {traces:Array(String)})
            AND (StackHash, Timestamp) IN (
                SELECT StackHash, min(Timestamp)
                FROM otel_profiles
                WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
                    AND (empty({traces:Array(String)}) OR TraceId IN {traces:Array(String)})
                GROUP BY StackHash, cityHash64(MappingFileNames, emptyArrayString()))
        GROUP BY StackKey
    ),
-- The program puts stacks.sql here.
