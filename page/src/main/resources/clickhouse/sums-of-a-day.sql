-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: the sums by stack of any day of which hours were summed since it was.
WITH
    (SELECT argMax((Day, State, Counted, Hours), cityHash64(Day, now()))
        FROM flamespan_v1_days
        WHERE NOT IsSummed AND IsComplete AND Day <= now() - INTERVAL 1520 MINUTE) AS task,
    task.1 AS day
SELECT 1 AS IsStack, 1 AS IsDay, day AS Hour, now64(6, 'UTC') AS Generation, task.2 AS State, task.3 AS Counted,
    sum(s.Profiles) AS Profiles,
    if(s.SpanHour > toDateTime(0, 'UTC') AND s.SpanHour < day + INTERVAL 1 DAY, day, s.SpanHour) AS SpanHour,
    if(s.RootHour >= day AND s.RootHour < day + INTERVAL 1 DAY, day, s.RootHour) AS RootHour,
    HasLink, ProfileService, RootKey, any(s.RootName) AS RootName, any(s.RootService) AS RootService,
    Process, ThreadName, StackKey, Line,
    sum(s.Samples) AS Samples, sum(s.CpuNanos) AS CpuNanos, sum(s.Waits) AS Waits, sum(s.WaitNanos) AS WaitNanos,
    sum(s.Allocations) AS Allocations, sum(s.AllocatedBytes) AS AllocatedBytes, sum(s.Locks) AS Locks,
    sum(s.LockNanos) AS LockNanos, sum(s.Others) AS Others
FROM flamespan_v1_sums AS s
WHERE day > toDateTime(0, 'UTC') AND s.IsStack AND NOT s.IsDay AND s.Hour >= day AND s.Hour < day + INTERVAL 1 DAY
    AND has(task.4, (s.Hour, s.Generation))
GROUP BY SpanHour, RootHour, HasLink, ProfileService, RootKey, Process, ThreadName, StackKey, Line
SETTINGS prefer_column_name_to_alias = 0, max_execution_time = 900
