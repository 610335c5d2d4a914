-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: what was measured of each span.
--
-- reason0 … reason5, about0, about1   the patterns of io.flamespan.page.results.WaitReasons
    stackParts AS (
        SELECT StackKey,
            arrayReverse(arrayMap(frame -> replaceAll(frame.1, '/', '.'), Frames)) AS names, -- the innermost first
            arrayMap(name -> multiIf(match(name, {reason0:String}), 1, match(name, {reason1:String}), 2,
                match(name, {reason2:String}), 3, match(name, {reason3:String}), 4, match(name, {reason4:String}), 5,
                match(name, {reason5:String}), 6, 0), names) AS reasons,
            arrayFirstIndex(reason -> reason > 0, reasons) AS place,
            if(place = 0, 0, reasons[place]) AS reason,
            -- What a wait for a lock or for another thread is about.
            if(reason IN (3, 4), arrayFirst(about -> about > 0,
                arrayMap(name -> multiIf(match(name, {about0:String}), 1, match(name, {about1:String}), 2, 0),
                    arraySlice(names, greatest(1, place)))), 0) AS about,
            transform(reason * 3 + about, [3, 6, 9, 10, 11, 12, 13, 14, 15, 18], [0, 5, 4, 7, 8, 10, 7, 8, 6, 8], 9) AS WaitPart
        FROM stacks
    ),
    -- The period of waits of a process: that of its profiles, or the value of at least half of them.
    looks AS (
        SELECT Process AS LookProcess, if(max(declared) > 0, max(declared), argMax(nanos, (uses > 1, uses, -nanos)) * (max(uses) > 1 AND 2 * max(uses) >= sum(uses))) AS WaitPeriod
        FROM (
            SELECT cityHash64(ResourceAttributes['service.namespace'], ServiceName, ResourceAttributes['service.instance.id']) AS Process,
                value * transform(toString(SampleUnit), ['nanoseconds', 'nanosecond', 'ns', 'microseconds', 'us', 'milliseconds', 'ms', 'seconds', 's'],
                    [1., 1., 1., 1e3, 1e3, 1e6, 1e6, 1e9, 1e9], 0.) AS nanos,
                max(if(PeriodType IN ('cpu', 'on-cpu', 'on_cpu', 'ctimer', 'itimer'), 0,
                    Period * transform(toString(PeriodUnit), ['nanoseconds', 'nanosecond', 'ns', 'microseconds', 'us', 'milliseconds', 'ms', 'seconds', 's'],
                        [1., 1., 1., 1e3, 1e3, 1e6, 1e6, 1e9, 1e9], 0.))) AS declared,
                count() AS uses
            FROM otel_profiles
            ARRAY JOIN Values AS value
            WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
                AND SampleType IN ('off_cpu', 'off-cpu', 'events') AND SpanId != ''
            GROUP BY Process, nanos
            HAVING nanos > 0
        )
        GROUP BY Process
    ),
    -- Samples of a span that differ by their times alone. A code has the thread, the part that a wait is, and the kind,
    -- as io.flamespan.page.timeline.RequestSamples numbers them. Of allocations (6), only the first and the last time count.
    alike AS (
        SELECT e.SpanKey AS AlikeSpan, nanos, number,
            if(IsAllocation, 6, (ThreadNumber * 16 + if(IsCpu OR IsRunnable, 1, WaitPart)) * 16
                + multiIf(IsCpu, 0, IsRunnable, 1, IsLock, 5, nanos <= WaitPeriod, 2, WaitPeriod > 0, 3, 4)) AS code,
            if(code = 6, [minIf(moment, moment > 0), max(moment)], groupArrayIf(moment, NOT IsAllocation)) AS times, max(if(IsCpu, PeriodNanos, 0)) AS cpuPeriod
        FROM (
            SELECT SpanKey, StackKey, ProfileProcess, ThreadNumber, PeriodNanos, IsCpu, IsRunnable, IsWait, IsAllocation, IsLock,
                entry.1 AS moment, if(IsAllocation, 1, entry.2) AS nanos, if(IsAllocation, 0, entry.3) AS number
            FROM samples
            ARRAY JOIN Entries AS entry
            WHERE HasLink AND (IsCpu OR IsRunnable AND moment > 0 OR IsWait OR IsAllocation OR IsLock) AND nanos BETWEEN 1 AND 31622400000000000
        ) AS e
        LEFT JOIN stackParts ON stackParts.StackKey = e.StackKey
        LEFT JOIN looks ON looks.LookProcess = e.ProfileProcess
        GROUP BY AlikeSpan, nanos, number, code
    ),
    exacts AS (
        SELECT TraceId AS ExactTrace, SpanId AS ExactSpan,
            any(ifNull(toFloat64OrNull(SpanAttributes['jvm.stopped.time']), -1)) AS stopped,
            any(ifNull(toFloat64OrNull(SpanAttributes['thread.cpu.time']), -1)) AS cpu,
            any(ifNull(toFloat64OrNull(SpanAttributes['thread.run_queue.time']), -1)) AS runQueue
        FROM otel_traces
        WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
            AND (mapContains(SpanAttributes, 'jvm.stopped.time') OR mapContains(SpanAttributes, 'thread.cpu.time')
                OR mapContains(SpanAttributes, 'thread.run_queue.time'))
        GROUP BY TraceId, SpanId
    ),
    measured AS (
        SELECT cityHash64(RootTraceId, RootId) AS RequestKey, any(RootKey) AS endpointKey, any(RootStart) AS rootStart,
            any(RootDuration) AS rootDuration, any(RootHasDuration) AS hasDuration, any(RootProcess) AS rootProcess,
            groupArrayIf(nanos, nanos > 0) AS amounts, groupArrayIf(number, nanos > 0) AS numbers,
            groupArrayIf(code, nanos > 0) AS codes, groupArrayIf(toInt64(length(times)), nanos > 0) AS sizes,
            groupArrayArray(times) AS moments, toInt64(round(max(alike.cpuPeriod))) AS cpuPeriod,
            if(any(ExactSpan) = '', [-1., -1., -1.], [any(stopped), any(cpu), any(runQueue)]) AS exactSeconds
        FROM spans
        LEFT JOIN alike ON alike.AlikeSpan = spans.SpanKey
        LEFT JOIN exacts ON exacts.ExactTrace = spans.RootTraceId AND exacts.ExactSpan = spans.RootId
        WHERE RootId != '' AND ({service:String} = '' OR RootService = {service:String})
        GROUP BY RootTraceId, RootId
    )
