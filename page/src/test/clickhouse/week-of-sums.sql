-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Fills the tables of sums as for a week, with what a page of whole days reads: 40 endpoints with a number of requests each
-- in an hour, of which each thirtieth may have samples in several hours; 100 samples a request, of 10,000 distinct stacks; and
-- 5 % more without a Link.
INSERT INTO flamespan_v1_stacks (StackKey, FunctionNames, FileNames, MappingFileNames, LastHour)
SELECT number + 1, arrayReverse(arrayConcat(
        arrayMap(depth -> concat('com.example.shop.Layer', toString(depth), '.method', toString(number % least(depth * depth + 1, 300))),
            range(30)),
        [concat('com.example.shop.Leaf.method', toString(number))])) AS names,
    arrayMap(name -> '', names), arrayMap(name -> '', names), toDateTime('2026-01-07 23:00:00', 'UTC')
FROM numbers(10000);
INSERT INTO flamespan_v1_profiles_received (Hour, Received)
SELECT toDateTime('2026-01-01 00:00:00', 'UTC') + number * 3600, toDateTime64('2026-01-31 00:00:00', 6, 'UTC')
FROM numbers(168);
INSERT INTO flamespan_v1_sums (IsStack, Hour, Generation, Counted, CountedSpans, Profiles, SpanHour, RootHour, HasLink,
    ProfileService, RootKey, RootName, RootService, RequestKey, Requests, RootDuration, Durations, Samples,
    CpuNanos, CpuSquares, CpuCubes)
WITH intDiv({requests:UInt64}, 30) AS single, {requests:UInt64} - single AS whole
SELECT isStack, toDateTime('2026-01-01 00:00:00', 'UTC') + hour * 3600 AS h, toDateTime64('2026-02-01 00:00:00', 6, 'UTC'),
    {requests:UInt64} * 4200, {requests:UInt64} * 200,
    if(isStack OR endpoint = 40, {requests:UInt64} * 4200, 0), if(endpoint < 40, h, 0), if(endpoint < 40, h, 0), endpoint < 40,
    if(endpoint = 40, 'shop', ''), if(endpoint < 40, cityHash64(name, 'shop'), 0),
    if(endpoint < 40, concat('GET /endpoint/', toString(endpoint)), '') AS name, if(endpoint < 40, 'shop', ''),
    if(place > 0, cityHash64(hour, endpoint, place), 0),
    multiIf(endpoint >= 40, 0, place > 0, 1, whole) AS requests, requests * 500000000,
    if(requests = 0, ([], []), if(place > 0, ([toUInt64(500000000)], [toUInt64(1)]),
        (arrayMap(number -> toUInt64(number * 2000000), range(500)), arrayMap(number -> intDiv(whole, 500) + 1, range(500))))),
    if(isStack, 0, if(endpoint = 40, {requests:UInt64} * 200, requests * 100)) AS samples, samples * 10000000,
    requests * 1e18, requests * 1e27
FROM (
    SELECT hour, endpoint, place, endpoint = 41 AS isStack
    FROM (SELECT number % 168 AS hour, intDiv(number, 168) AS endpoint FROM numbers(42 * 168))
    ARRAY JOIN if(endpoint < 40, range(toUInt64(intDiv({requests:UInt64}, 30) + 1)), [toUInt64(0)]) AS place
);
INSERT INTO flamespan_v1_sums (IsStack, IsDay, Hour, Generation, State, Counted, Profiles, SpanHour, RootHour, HasLink,
    ProfileService, RootKey, RootName, RootService, Process, ThreadName, StackKey, Line, Samples, CpuNanos)
WITH ofDay AS (
    SELECT day, endpoint, stack, {requests:UInt64} * 2400 AS all, count() OVER (PARTITION BY day, endpoint) AS stacks,
        row_number() OVER (PARTITION BY day, endpoint ORDER BY stack) = 1 AS isFirst
    FROM (
        SELECT number % 7 AS day, intDiv(number, 7) % 40 AS endpoint, cityHash64(number) % 10000 AS stack
        FROM numbers(least({requests:UInt64} * 40 * 168 * 100, 30000000))
        GROUP BY day, endpoint, stack
    )
    UNION ALL
    SELECT number % 7, 40, intDiv(number, 7), {requests:UInt64} * 4800, 480, 0 FROM numbers(7 * 480)
)
SELECT 1, 1, Day, toDateTime64('2026-02-02 00:00:00', 6, 'UTC'), State, Counted, if(endpoint = 40 AND stack = 0, Counted, 0),
    if(endpoint < 40, Day, toDateTime(0, 'UTC')), if(endpoint < 40, Day, toDateTime(0, 'UTC')), endpoint < 40,
    if(endpoint < 40, '', 'shop'), if(endpoint < 40, cityHash64(name, 'shop'), 0),
    if(endpoint < 40, concat('GET /endpoint/', toString(endpoint)), '') AS name, if(endpoint < 40, 'shop', ''),
    if(endpoint < 40, '', 'shop'), if(endpoint < 40, '', '(no name)'), stack + 1, stack % 7,
    intDiv(all, stacks) + if(isFirst, all % stacks, 0) AS samples, samples * 10000000
FROM ofDay
INNER JOIN flamespan_v1_days ON Day = toDateTime('2026-01-01 00:00:00', 'UTC') + day * 86400
