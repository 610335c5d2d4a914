-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: how many spans there are by hour. One counts for each hour of a day at most that it touches, and
-- for the one before if it begins in the first ten minutes, as profiles may take that long.
SELECT hour AS Hour, toInt64(0) AS Profiles, toInt64(count()) AS Spans
FROM otel_traces
ARRAY JOIN arrayMap(number -> toDateTime(toUInt32((number + intDiv(toUnixTimestamp(Timestamp) - 600, 3600)) * 3600), 'UTC'),
    range(toUInt64(1 + least(24, intDiv(toUnixTimestamp(Timestamp) + if(Duration < 9223372036854775808, intDiv(Duration, 1000000000), 0), 3600)
        - intDiv(toUnixTimestamp(Timestamp) - 600, 3600))))) AS hour
GROUP BY Hour
