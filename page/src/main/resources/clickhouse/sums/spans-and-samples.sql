-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements, in place of the one for the exporter's tables: the sums of whole hours as samples, whose spans
-- are endpoints, and the stacks.
--
-- from, to   the range of time, UTC, in whole hours
-- threads    [], or only the stacks of threads are read
    (durations, requests) -> toInt64(
        durations.1[arrayFirstIndex(count -> count >= ceil(0.99 * requests), arrayCumSum(durations.2))]) AS percentile,
    summedDays AS (
        SELECT Day, Generation
        FROM flamespan_days
        WHERE IsSummed AND Day >= {from:DateTime64(9, 'UTC')} AND Day <= {to:DateTime64(9, 'UTC')} - INTERVAL 1 DAY
    ),
    hourSums AS (
        SELECT *, RootHour >= {from:DateTime64(9, 'UTC')} AND RootHour < {to:DateTime64(9, 'UTC')}
                AND SpanHour < {to:DateTime64(9, 'UTC')} AS IsJoined
        FROM flamespan_sums
        WHERE NOT IsStack AND Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
            AND (Hour, Generation) IN (SELECT Hour, Generation FROM flamespan_hours WHERE IsSummed)
    ),
    samples AS (
        SELECT *, if(RootHour >= {from:DateTime64(9, 'UTC')} AND RootHour < {to:DateTime64(9, 'UTC')}
                AND SpanHour < {to:DateTime64(9, 'UTC')}, RootKey, 0) AS SpanKey
        FROM flamespan_sums
        WHERE IsStack AND Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
            AND (IsDay, Hour, Generation) IN (
                SELECT 1, Day, Generation FROM summedDays
                UNION ALL
                SELECT 0, Hour, Generation
                FROM flamespan_hours
                WHERE IsSummed AND toStartOfDay(Hour) NOT IN (SELECT Day FROM summedDays))
    ),
    spans AS (
        SELECT RootKey, RootKey AS SpanKey, toString(RootKey) AS RootId, any(s.RootName) AS RootName,
            any(s.RootService) AS RootService, any(s.RootServiceName) AS RootServiceName
        FROM hourSums AS s
        WHERE IsJoined
        GROUP BY RootKey
    ),
    receivedStacks AS (
        SELECT StackKey, arrayReverse(arrayZip(any(FunctionNames), any(FileNames), any(MappingFileNames),
                any(arrayResize(Kinds, length(FunctionNames), '')))) AS received
        FROM flamespan_stacks
        WHERE StackKey IN (SELECT StackKey FROM samples WHERE empty({threads:Array(UInt64)}) OR NOT HasLink)
        GROUP BY StackKey
    ),
-- The program puts stacks.sql here.
