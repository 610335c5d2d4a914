-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: how many rows of profiles there are by hour.
SELECT toStartOfHour(Timestamp, 'UTC') AS Hour, toInt64(count()) AS Profiles, toInt64(0) AS Spans
FROM otel_profiles
GROUP BY Hour
