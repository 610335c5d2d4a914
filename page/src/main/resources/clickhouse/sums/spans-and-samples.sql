-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements, in place of the one for the exporter's tables: the sums of whole hours as samples, whose spans
-- are endpoints, and the stacks.
--
-- from, to   the range of time, UTC, in whole hours
-- threads    [], or only the stacks of threads are read
-- hours, stacks   the generations of the sums of hours, and of those by stack, of whole days if there are some
    durations -> toInt64(durations.1[
        arrayFirstIndex(count -> count >= ceil(0.99 * arraySum(durations.2)), arrayCumSum(durations.2))]) AS percentile,
    hourSums AS (
        SELECT *, RootHour >= {from:DateTime64(9, 'UTC')} AND RootHour < {to:DateTime64(9, 'UTC')}
                AND SpanHour < {to:DateTime64(9, 'UTC')} AS IsJoined
        FROM flamespan_v1_sums
        WHERE NOT IsStack AND Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
            AND Generation IN (SELECT fromUnixTimestamp64Micro(arrayJoin({hours:Array(Int64)}), 'UTC'))
    ),
    samples AS (
        SELECT *, if(RootHour >= {from:DateTime64(9, 'UTC')} AND RootHour < {to:DateTime64(9, 'UTC')}
                AND SpanHour < {to:DateTime64(9, 'UTC')}, RootKey, 0) AS SpanKey
        FROM flamespan_v1_sums
        WHERE IsStack AND Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
            AND Generation IN (SELECT fromUnixTimestamp64Micro(arrayJoin({stacks:Array(Int64)}), 'UTC'))
    ),
    spans AS (
        SELECT RootKey, RootKey AS SpanKey, toString(RootKey) AS RootId, any(s.RootName) AS RootName,
            any(s.RootService) AS RootService
        FROM hourSums AS s
        WHERE IsJoined
        GROUP BY RootKey
    ),
    receivedStacks AS (
        SELECT StackKey, arrayReverse(arrayZip(any(FunctionNames), any(FileNames), any(MappingFileNames),
                any(arrayResize(Kinds, length(FunctionNames), '')))) AS received
        FROM flamespan_v1_stacks
        WHERE StackKey IN (SELECT StackKey FROM samples WHERE empty({threads:Array(UInt64)}) OR NOT HasLink)
        GROUP BY StackKey
    ),
-- The program puts stacks.sql here.
