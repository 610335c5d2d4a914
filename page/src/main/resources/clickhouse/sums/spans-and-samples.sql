-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements, in place of the one for the exporter's tables: the sums of whole hours as samples, whose spans
-- are endpoints, and the stacks.
--
-- from, to   the range of time, UTC, in whole hours
    hourSums AS (
        SELECT *, RootHour >= {from:DateTime64(9, 'UTC')} AND RootHour < {to:DateTime64(9, 'UTC')}
                AND SpanHour < {to:DateTime64(9, 'UTC')} AS IsJoined
        FROM flamespan_sums
        WHERE Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
            AND Generation IN (SELECT Generation FROM flamespan_hours WHERE IsSummed)
    ),
    samples AS (
        SELECT *, if(IsJoined, RootKey, 0) AS SpanKey
        FROM hourSums
        WHERE IsStack
    ),
    spans AS (
        SELECT RootKey, RootKey AS SpanKey, toString(RootKey) AS RootId, any(s.RootName) AS RootName,
            any(s.RootService) AS RootService, any(s.RootServiceName) AS RootServiceName
        FROM hourSums AS s
        WHERE NOT IsStack AND IsJoined
        GROUP BY RootKey
    ),
    receivedStacks AS (
        SELECT StackKey, arrayReverse(arrayZip(any(FunctionNames), any(FileNames), any(MappingFileNames))) AS received
        FROM flamespan_stacks
        WHERE StackKey IN (SELECT StackKey FROM samples)
        GROUP BY StackKey
    ),
-- The program puts stacks.sql here.
