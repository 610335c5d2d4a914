-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: when spans of each hour were received. A span is of the hours that it touches, but the third and
-- later ones, in which it is not joined, and of the one before if it begins in the first ten minutes, as profiles may take
-- that long. It fails for no time or duration, as a view is a part of inserts.
SELECT toDateTime(toUInt32(hour * 3600), 'UTC') AS Hour, now64(6, 'UTC') AS Received
FROM otel_traces
ARRAY JOIN range(intDiv(toUnixTimestamp64Second(Timestamp) - 600, 3600),
    intDiv(toUnixTimestamp64Second(Timestamp) + toInt64(intDiv(least(Duration, 3600000000000), 1000000000)), 3600) + 1) AS hour
WHERE Timestamp >= now() - INTERVAL 30 DAY - INTERVAL 2 DAY AND Timestamp < now() + INTERVAL 1 DAY
GROUP BY Hour
