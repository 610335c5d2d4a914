-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Sums by hour and day, from which --sums makes the page. Run it in the database of the exporter's tables, as often as you
-- like:
--
--   clickhouse-client --database otel --multiquery < sums.sql
--
-- A view sums up an hour once it is over, and no row of it came, for 20 minutes: one hour a minute, and again if rows of it
-- arrive later. Another sums up the hours of a day. "SELECT * FROM flamespan_v1_hours ORDER BY Hour" shows what is summed, and
-- system.view_refreshes why something is not. An hour that takes longer than max_execution_time is not summed, and tried
-- again each day. Sums of more than 292 years overflow. The last two statements are for rows that are there already; run
-- all again after inserts whose views failed.
--
-- An hour takes less CPU time than one page of its rows, and two million samples 600 MB. Without work, the views take 2 % of a
-- CPU. They nearly double the CPU time of an insert of 5,000 samples, mostly for the stacks.
--
-- Replace otel_traces and otel_profiles if the tables have other names, and 30 DAY by what the exporter has as its ttl, or
-- more, up to 300 DAY, as a page cannot name more hours. For replicated tables, change the engines and add ON CLUSTER, but
-- create the views with REFRESH on one replica only. For shards, create all of it on one node, from the Distributed tables
-- through which the exporter inserts there.
--
-- Whatever of all this is missing, inserts succeed, as what a view fills at an insert is a part of the view. A view that fails
-- makes an insert fail, for instance once the user who created it has been removed or may not read the table any more,
-- unless the exporter's connection_params have materialized_views_ignore_errors = 1.
--
-- What "sql drop-sums" prints removes all of it. The number in the names changes if the page cannot read older sums.
--
-- Sums that were made anew need space until they are 30 days old, or this deletes them:
--
--   ALTER TABLE flamespan_v1_sums DELETE WHERE Generation < now() - INTERVAL 1 DAY AND Generation NOT IN (
--       SELECT arrayJoin([Generation, LastGeneration]) FROM flamespan_v1_hours
--       UNION ALL SELECT Generation FROM flamespan_v1_days)
CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_profiles_received (
    Hour DateTime('UTC'),
    Received SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when the last row of the hour was received'
) ENGINE = AggregatingMergeTree ORDER BY Hour TTL Hour + INTERVAL 30 DAY + INTERVAL 2 DAY
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
-- The program puts received-profiles.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_spans_received (
    Hour DateTime('UTC'),
    Received SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when the last row of the hour was received'
) ENGINE = AggregatingMergeTree ORDER BY Hour TTL Hour + INTERVAL 30 DAY + INTERVAL 2 DAY
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
-- The program puts received-spans.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_stacks (
    StackKey UInt64,
    FunctionNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    FileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    MappingFileNames Array(LowCardinality(String)) CODEC(ZSTD(3)),
    Kinds Array(LowCardinality(String)) CODEC(ZSTD(3)),
    LastHour DateTime('UTC')
) ENGINE = ReplacingMergeTree(LastHour) ORDER BY StackKey TTL LastHour + INTERVAL 30 DAY + INTERVAL 2 DAY
DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
-- The program puts received-stacks.sql here.
;

CREATE TABLE IF NOT EXISTS flamespan_v1_hours_tried (
    Hour DateTime('UTC'),
    Tried DateTime64(6, 'UTC') COMMENT 'when the hour was chosen to be summed'
) ENGINE = MergeTree ORDER BY Hour TTL Hour + INTERVAL 30 DAY + INTERVAL 2 DAY;

CREATE TABLE IF NOT EXISTS flamespan_v1_sums (
    IsStack UInt8 COMMENT 'the row sums up a stack of an endpoint or thread, else requests',
    IsDay UInt8,
    Hour DateTime('UTC') CODEC(Delta, ZSTD(1)),
    Generation DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
    State Int64 COMMENT 'of a day: which generations of its hours it sums up',
    Counted UInt64 COMMENT 'rows of profiles that there were then',
    CountedSpans UInt64,
    Profiles UInt64 COMMENT 'how many of them this row sums up',
    SpanHour DateTime('UTC') COMMENT '0 if the span was not received',
    RootHour DateTime('UTC'),
    HasLink UInt8,
    ProfileService LowCardinality(String),
    RootKey UInt64 CODEC(ZSTD(1)),
    RootName LowCardinality(String),
    RootService LowCardinality(String),
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
        SELECT IsDay, Hour, Generation, State, Counted, CountedSpans, sumIf(Profiles, NOT IsStack), sumIf(Profiles, IsStack)
        GROUP BY IsDay, Hour, Generation, State, Counted, CountedSpans
    )
) ENGINE = MergeTree PARTITION BY toDate(Hour) ORDER BY (IsStack, IsDay, Hour, Generation, HasLink, RootKey, StackKey)
TTL Hour + INTERVAL 30 DAY + INTERVAL 2 DAY SETTINGS ttl_only_drop_parts = 1;

-- The generation of an hour is the last one, but for those before which the exporter's tables had lost rows.
CREATE VIEW IF NOT EXISTS flamespan_v1_hours AS
WITH toDateTime64(0, 6, 'UTC') AS never,
    arrayFold((last, one) -> if(one.2 >= last.2 AND one.3 >= last.3, one, last),
        arraySort(groupArrayIf((generation, profiles, spans), generation > never)), (never, toUInt64(0), toUInt64(0))) AS read
SELECT Hour, max(received) AS Received, max(tried) AS Tried, read.1 AS Generation, read.2 AS Counted, read.3 AS CountedSpans,
    max(generation) AS LastGeneration, LastGeneration >= Received + INTERVAL 20 MINUTE AS IsSummed,
    Tried > LastGeneration AS IsTried
FROM (
    SELECT Hour, Received AS received, never AS tried, never AS generation, toUInt64(0) AS profiles, toUInt64(0) AS spans
    FROM flamespan_v1_profiles_received
    UNION ALL
    SELECT Hour, Received, never, never, 0, 0 FROM flamespan_v1_spans_received
    UNION ALL
    SELECT Hour, never, Tried, never, 0, 0 FROM flamespan_v1_hours_tried
    UNION ALL
    SELECT Hour, never, never, Generation, Counted, CountedSpans
    FROM flamespan_v1_sums
    WHERE NOT IsDay
    GROUP BY IsDay, Hour, Generation, State, Counted, CountedSpans
    HAVING sumIf(Profiles, NOT IsStack) = Counted AND sumIf(Profiles, IsStack) = Counted
)
-- Whole days, and none of which the tables may have lost a part.
WHERE Hour >= toStartOfDay(now('UTC')) - INTERVAL 30 DAY AND Hour <= now()
GROUP BY Hour;

CREATE VIEW IF NOT EXISTS flamespan_v1_days AS
SELECT hours.Day AS Day, hours.Hours AS Hours, hours.State AS State, hours.Counted AS Counted, hours.IsComplete AS IsComplete,
    summed.Generation AS Generation, summed.Found = 1 AS IsSummed
FROM (
    SELECT toStartOfDay(Hour) AS Day,
        arraySort(groupArrayIf((Hour, h.Generation), h.Generation > toDateTime(0, 'UTC'))) AS Hours,
        reinterpretAsInt64(cityHash64(Hours)) AS State, sum(h.Counted) AS Counted, min(h.IsSummed) AS IsComplete
    FROM flamespan_v1_hours AS h
    GROUP BY Day
) AS hours
LEFT JOIN (
    SELECT Hour AS Day, State, max(g.Generation) AS Generation, 1 AS Found
    FROM (
        SELECT Hour, Generation, State
        FROM flamespan_v1_sums
        WHERE IsDay
        GROUP BY IsDay, Hour, Generation, State, Counted, CountedSpans
        HAVING sumIf(Profiles, IsStack) = Counted
    ) AS g
    GROUP BY Day, State
) AS summed ON summed.Day = hours.Day AND summed.State = hours.State
SETTINGS join_use_nulls = 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_hour_chosen REFRESH EVERY 1 MINUTE APPEND TO flamespan_v1_hours_tried AS
-- The program puts hour-to-sum.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_sums_filled REFRESH EVERY 1 MINUTE OFFSET 30 SECOND APPEND TO flamespan_v1_sums AS
-- The program puts sums-of-an-hour.sql here.
;

CREATE MATERIALIZED VIEW IF NOT EXISTS flamespan_v1_days_filled REFRESH EVERY 30 MINUTE APPEND TO flamespan_v1_sums AS
-- The program puts sums-of-a-day.sql here.
;

INSERT INTO flamespan_v1_stacks (StackKey, FunctionNames, FileNames, MappingFileNames, Kinds, LastHour)
SELECT StackKey, FunctionNames, FileNames, MappingFileNames, Kinds, LastHour FROM (
-- The program puts received-stacks.sql here.
)
WHERE (StackKey, LastHour) NOT IN (SELECT StackKey, LastHour FROM flamespan_v1_stacks);

INSERT INTO flamespan_v1_profiles_received (Hour, Received)
SELECT Hour, now64(6, 'UTC') - INTERVAL 20 MINUTE
FROM (
    SELECT toStartOfHour(Timestamp, 'UTC') AS Hour, toInt64(count()) AS profiles, toInt64(0) AS spans
    FROM otel_profiles
    WHERE Timestamp >= now() - INTERVAL 30 DAY - INTERVAL 2 DAY AND Timestamp < now() + INTERVAL 1 DAY
    GROUP BY Hour
    UNION ALL
    SELECT toStartOfHour(Timestamp, 'UTC') AS Hour, toInt64(0), toInt64(count())
    FROM otel_traces
    WHERE Timestamp >= now() - INTERVAL 30 DAY - INTERVAL 2 DAY AND Timestamp < now() + INTERVAL 1 DAY
    GROUP BY Hour
    UNION ALL
    SELECT Hour, -toInt64(Counted), -toInt64(CountedSpans) FROM flamespan_v1_hours
)
GROUP BY Hour
HAVING sum(profiles) > 0 OR sum(spans) > 0;
