-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: the sums of the hour that was chosen, by endpoint and by stack. They are of one generation, which
-- counts only if all of them were stored.
--
-- from, to   an hour before, whose requests have samples here, to ten minutes after, as a profile may take that long
WITH
    (SELECT argMax(Hour, Tried) FROM flamespan_v1_hours WHERE IsTried AND Tried > now() - INTERVAL 5 MINUTE) AS hour,
-- The program puts spans-and-samples.sql here.
    ,
    joined AS (
        SELECT toUInt64(1) AS Rows, toUInt64(0) AS Requests, s.HasLink AS HasLink, s.ProfileService AS ReceivedService,
            if(IsReceived, Start, 0) AS spanStart, spans.RootTraceId AS RootTraceId, spans.RootId AS RootId,
            spans.RootName AS RootName, spans.RootService AS RootService,
            spans.RootKey AS RootKey, spans.RootStart AS RootStart,
            spans.RootDuration AS RootDuration, spans.RootHasDuration AS RootHasDuration,
            s.Samples + s.Waits + s.Allocations + s.Locks > 0 AND (NOT s.HasLink OR RootId != '') AS isShown,
            if(isShown AND NOT s.HasLink, s.Process, '') AS Process,
            if(isShown AND NOT s.HasLink, s.ThreadName, '') AS ThreadName,
            if(isShown, s.StackKey, 0) AS StackKey, if(isShown, s.Line, 0) AS Line,
            s.Samples AS Samples, s.CpuNanos AS CpuNanos, s.Waits AS Waits, s.WaitNanos AS WaitNanos,
            s.Allocations AS Allocations, s.AllocatedBytes AS AllocatedBytes, s.Locks AS Locks, s.LockNanos AS LockNanos,
            s.Others AS Others
        FROM samples AS s
        LEFT JOIN spans ON spans.SpanKey = s.SpanKey
        WHERE s.ProfileTime >= toDateTime64(hour, 9, 'UTC') AND s.ProfileTime < toDateTime64(hour, 9, 'UTC') + INTERVAL 1 HOUR
        UNION ALL
        -- Also requests without samples.
        SELECT 0, 1, 1, '', Start, RootTraceId, RootId, RootName, RootService, RootKey, RootStart,
            RootDuration, RootHasDuration, 0, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        FROM spans
        WHERE SpanId = RootId AND intDiv(RootStart, 3600000000000) = intDiv(toUnixTimestamp(hour), 3600)
        UNION ALL
        -- So that an hour without any of these is summed, too.
        SELECT 0, 0, 0, '', 0, '', '', '', '', 0, 0, 0, 0, 0, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    ),
    -- A request that begins two minutes after the hour, as profiles take less, and ends in it, has its samples in it.
    placed AS (
        SELECT *, toInt64(toUnixTimestamp(hour)) * 1000000000 AS hourStart, hourStart + 3600000000000 AS hourEnd,
            RootStart >= hourStart + 120000000000 AND RootStart + RootDuration < hourEnd AND spanStart < hourEnd AS IsWhole,
            if(IsWhole, hour, toDateTime(intDiv(spanStart, 3600000000000) * 3600, 'UTC')) AS SpanHour,
            toDateTime(intDiv(RootStart, 3600000000000) * 3600, 'UTC') AS RootHour,
            if(IsWhole, '', ReceivedService) AS ProfileService,
            if(RootId = '', 0, cityHash64(RootTraceId, RootId)) AS OwnKey
        FROM joined
    )
SELECT IsStack, 0 AS IsDay, hour AS Hour, now64(6, 'UTC') AS Generation,
    (SELECT count() FROM otel_profiles WHERE Timestamp >= toDateTime64(hour, 9, 'UTC')
        AND Timestamp < toDateTime64(hour, 9, 'UTC') + INTERVAL 1 HOUR) AS Counted,
    (SELECT count() FROM otel_traces WHERE Timestamp >= toDateTime64(hour, 9, 'UTC')
        AND Timestamp < toDateTime64(hour, 9, 'UTC') + INTERVAL 1 HOUR) AS CountedSpans,
    sum(r.Profiles) AS Profiles, SpanHour, RootHour, HasLink, ProfileService,
    RootKey, any(r.RootName) AS RootName, any(r.RootService) AS RootService,
    if(IsWhole, 0, OwnKey) AS RequestKey, sum(r.Requests) AS Requests,
    sumIf(r.RootDuration, r.Requests > 0) AS RootDuration,
    -- To the eight most significant bits.
    sumMapIf((
        [bitShiftLeft(bitShiftRight(r.RootDuration, toUInt8(greatest(0, floor(log2(r.RootDuration + 1)) - 8)) AS bits), bits)
            + intDiv(bitShiftLeft(toUInt64(1), bits), 2)],
        [toUInt64(1)]), r.Requests > 0 AND r.RootHasDuration) AS Durations,
    Process, ThreadName, StackKey, Line,
    sum(r.Samples) AS Samples, sum(r.CpuNanos) AS CpuNanos, sum(r.Waits) AS Waits, sum(r.WaitNanos) AS WaitNanos,
    sum(r.Allocations) AS Allocations, sum(r.AllocatedBytes) AS AllocatedBytes, sum(r.Locks) AS Locks,
    sum(r.LockNanos) AS LockNanos, sum(r.Others) AS Others,
    sumIf(pow(r.CpuNanos, 2), IsWhole) AS CpuSquares, sumIf(pow(r.CpuNanos, 3), IsWhole) AS CpuCubes,
    sumIf(pow(r.WaitNanos, 2), IsWhole) AS WaitSquares, sumIf(pow(r.WaitNanos, 3), IsWhole) AS WaitCubes,
    sumIf(pow(r.AllocatedBytes, 2), IsWhole) AS AllocSquares, sumIf(pow(r.AllocatedBytes, 3), IsWhole) AS AllocCubes,
    sumIf(pow(r.LockNanos, 2), IsWhole) AS LockSquares, sumIf(pow(r.LockNanos, 3), IsWhole) AS LockCubes
FROM (
    SELECT grouping(OwnKey) = 1 AS IsStack, sum(j.Rows) AS Profiles, SpanHour, RootHour, HasLink, ProfileService, RootKey,
        any(j.RootName) AS RootName, any(j.RootService) AS RootService,
        IsWhole, OwnKey, if(IsStack, 0, sum(j.Requests)) AS Requests, any(j.RootDuration) AS RootDuration,
        any(j.RootHasDuration) AS RootHasDuration,
        Process, ThreadName, StackKey, Line,
        sum(j.Samples) AS Samples, sum(j.CpuNanos) AS CpuNanos, sum(j.Waits) AS Waits, sum(j.WaitNanos) AS WaitNanos,
        sum(j.Allocations) AS Allocations, sum(j.AllocatedBytes) AS AllocatedBytes, sum(j.Locks) AS Locks,
        sum(j.LockNanos) AS LockNanos, sum(j.Others) AS Others
    FROM placed AS j
    WHERE hour > toDateTime(0, 'UTC')
    GROUP BY GROUPING SETS (
        (SpanHour, RootHour, HasLink, ProfileService, RootKey, IsWhole, OwnKey),
        (SpanHour, RootHour, HasLink, ProfileService, RootKey, Process, ThreadName, StackKey, Line))
) AS r
GROUP BY IsStack, SpanHour, RootHour, HasLink, ProfileService, RootKey, IsWhole, RequestKey, Process, ThreadName, StackKey,
    Line
SETTINGS join_use_nulls = 0, group_by_use_nulls = 0, aggregate_functions_null_for_empty = 0, transform_null_in = 0,
    prefer_column_name_to_alias = 0, max_execution_time = 900
