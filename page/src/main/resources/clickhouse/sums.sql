-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Sums by hour and day, from which --sums makes the page. Run it in the database of the exporter's tables, as often as you
-- like:
--
--   clickhouse-client --database otel --multiquery < sums.sql
--
-- A view sums up an hour once it is over for 20 minutes, one hour a minute, and again if rows of it arrive later; another
-- sums up the hours of a day. "SELECT * FROM flamespan_hours ORDER BY Hour" shows what is summed, and system.view_refreshes
-- why something is not. The last two statements are for the rows that are there already. Change 30 DAY to what the exporter
-- has as its ttl, or more, and for replicated tables the engines. To remove all of it, drop the views first: inserts of the
-- exporter fail if a view has no table.
CREATE TABLE IF NOT EXISTS flamespan_received (
    Hour DateTime('UTC') COMMENT 'of profiles, and each hour that a span touches',
    Profiles Int64,
    Spans Int64
) ENGINE = SummingMergeTree ORDER BY Hour TTL Hour + INTERVAL 30 DAY;

CREATE TABLE IF NOT EXISTS flamespan_stacks (
    StackKey UInt64,
    FunctionNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    FileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    MappingFileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    Kinds Array(LowCardinality(String)) CODEC(ZSTD(3)),
    LastHour DateTime('UTC')
) ENGINE = ReplacingMergeTree(LastHour) ORDER BY StackKey TTL LastHour + INTERVAL 30 DAY;

CREATE TABLE IF NOT EXISTS flamespan_sums (
    IsStack UInt8 COMMENT 'the row sums up a stack of an endpoint or thread, else requests',
    IsDay UInt8,
    Hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    Generation DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    Received Int64 COMMENT 'profiles when the hour was summed, or the state of the hours of a day',
    ReceivedSpans Int64,
    Counted UInt64 COMMENT 'rows of profiles that there were then',
    Profiles UInt64 COMMENT 'how many of them this row sums up',
    SpanHour DateTime('UTC') COMMENT '0 if the span was not received',
    RootHour DateTime('UTC'),
    HasLink UInt8,
    ProfileService LowCardinality(String),
    RootKey UInt64 CODEC(ZSTD(1)),
    RootName LowCardinality(String),
    RootService LowCardinality(String),
    RootServiceName LowCardinality(String),
    RequestKey UInt64 CODEC(ZSTD(1)) COMMENT 'of a request that may have samples in several hours, 0 for all others',
    Requests UInt64 CODEC(ZSTD(1)),
    RootDuration UInt64 CODEC(ZSTD(1)),
    Durations Tuple(Array(UInt64), Array(UInt64)) CODEC(ZSTD(1)) COMMENT 'with the number of requests of each',
    Process LowCardinality(String),
    ThreadName LowCardinality(String),
    StackKey UInt64 CODEC(ZSTD(1)),
    Line Int32 CODEC(ZSTD(1)),
    Samples Int64 CODEC(ZSTD(1)),
    CpuNanos Int64 CODEC(ZSTD(1)),
    Waits Int64 CODEC(ZSTD(1)),
    WaitNanos Int64 CODEC(ZSTD(1)),
    Allocations Int64 CODEC(ZSTD(1)),
    AllocatedBytes Int64 CODEC(ZSTD(1)),
    Locks Int64 CODEC(ZSTD(1)),
    LockNanos Int64 CODEC(ZSTD(1)),
    Others Int64 CODEC(ZSTD(1)),
    CpuSquares Float64 CODEC(ZSTD(1)) COMMENT 'of the amounts of the requests without a key',
    CpuCubes Float64 CODEC(ZSTD(1)),
    WaitSquares Float64 CODEC(ZSTD(1)),
    WaitCubes Float64 CODEC(ZSTD(1)),
    AllocSquares Float64 CODEC(ZSTD(1)),
    AllocCubes Float64 CODEC(ZSTD(1)),
    LockSquares Float64 CODEC(ZSTD(1)),
    LockCubes Float64 CODEC(ZSTD(1)),
    PROJECTION generations (
        SELECT IsDay, Hour, Generation, Received, ReceivedSpans, Counted, sumIf(Profiles, NOT IsStack),
            sumIf(Profiles, IsStack)
        GROUP BY IsDay, Hour, Generation, Received, ReceivedSpans, Counted
    )
) ENGINE = MergeTree PARTITION BY toDate(Hour) ORDER BY (IsStack, IsDay, Hour, Generation, HasLink, RootKey, StackKey)
TTL Hour + INTERVAL 30 DAY SETTINGS ttl_only_drop_parts = 1;

CREATE VIEW IF NOT EXISTS flamespan_hours AS
SELECT received.Hour AS Hour, received.Profiles AS Profiles, received.Spans AS Spans, summed.Generation AS Generation,
    summed.Counted AS Counted, summed.Found = 1 AS IsSummed
FROM (
    SELECT Hour, sum(r.Profiles) AS Profiles, sum(r.Spans) AS Spans
    FROM flamespan_received AS r
    WHERE Hour > toDateTime(0, 'UTC')
    GROUP BY Hour
) AS received
LEFT JOIN (
    SELECT Hour, Received, ReceivedSpans, max(g.Generation) AS Generation, argMax(g.Counted, g.Generation) AS Counted,
        1 AS Found
    FROM (
        SELECT Hour, Generation, Received, ReceivedSpans, Counted
        FROM flamespan_sums
        WHERE NOT IsDay
        GROUP BY IsDay, Hour, Generation, Received, ReceivedSpans, Counted
        HAVING sumIf(Profiles, NOT IsStack) = Counted AND sumIf(Profiles, IsStack) = Counted
    ) AS g
    GROUP BY Hour, Received, ReceivedSpans
    -- Rows that are counted, but were not there: they were being stored, or, if it stays so, have been deleted.
    HAVING max(g.Counted) >= Received OR count() >= 3
) AS summed ON summed.Hour = received.Hour AND summed.Received = received.Profiles AND summed.ReceivedSpans = received.Spans
SETTINGS join_use_nulls = 0;

CREATE VIEW IF NOT EXISTS flamespan_days AS
SELECT hours.Day AS Day, hours.State AS State, hours.Counted AS Counted, hours.IsComplete AS IsComplete,
    summed.Generation AS Generation, summed.Found = 1 AS IsSummed
FROM (
    SELECT toStartOfDay(Hour) AS Day, reinterpretAsInt64(sum(cityHash64(Hour, h.Generation))) AS State,
        sum(h.Counted) AS Counted, min(h.IsSummed) AS IsComplete
    FROM flamespan_hours AS h
    GROUP BY Day
) AS hours
LEFT JOIN (
    SELECT Hour AS Day, Received AS State, max(g.Generation) AS Generation, 1 AS Found
    FROM (
        SELECT Hour, Generation, Received
        FROM flamespan_sums
        WHERE IsDay
        GROUP BY IsDay, Hour, Generation, Received, ReceivedSpans, Counted
        HAVING sumIf(Profiles, IsStack) = Counted
    ) AS g
    GROUP BY Day, State
) AS summed ON summed.Day = hours.Day AND summed.State = hours.State
SETTINGS join_use_nulls = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_profiles_received TO flamespan_received AS
-- The program puts received-profiles.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_spans_received TO flamespan_received AS
-- The program puts received-spans.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_stacks_received TO flamespan_stacks AS
-- The program puts received-stacks.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_sums_filled REFRESH EVERY 1 MINUTE APPEND TO flamespan_sums AS
-- The program puts sums-of-an-hour.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_days_filled REFRESH EVERY 1 MINUTE APPEND TO flamespan_sums AS
-- The program puts sums-of-a-day.sql here.
;

INSERT INTO flamespan_stacks (StackKey, FunctionNames, FileNames, MappingFileNames, Kinds, LastHour)
SELECT StackKey, FunctionNames, FileNames, MappingFileNames, Kinds, LastHour FROM (
-- The program puts received-stacks.sql here.
)
WHERE StackKey NOT IN (SELECT StackKey FROM flamespan_stacks);

INSERT INTO flamespan_received (Hour, Profiles, Spans)
SELECT Hour, greatest(0, sum(r.Profiles) AS profiles), greatest(0, sum(r.Spans) AS spans)
FROM (
    SELECT Hour, Profiles, Spans FROM (
-- The program puts received-profiles.sql here.
    )
    UNION ALL
    SELECT Hour, Profiles, Spans FROM (
-- The program puts received-spans.sql here.
    )
    UNION ALL
    SELECT Hour, -Profiles, -Spans FROM flamespan_received
) AS r
GROUP BY Hour
HAVING profiles > 0 OR spans > 0;
