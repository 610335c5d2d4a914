-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: when profiles of each hour were received. It fails for no time, as a view is a part of inserts.
SELECT toDateTime(toUInt32(intDiv(toUnixTimestamp64Second(Timestamp), 3600) * 3600), 'UTC') AS Hour, now64(6, 'UTC') AS Received
FROM otel_profiles
WHERE Timestamp >= now() - INTERVAL 30 DAY - INTERVAL 2 DAY AND Timestamp < now() + INTERVAL 1 DAY
GROUP BY Hour
