-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: the last hour of which rows were received since it was summed, once none came for a while. After
-- a run that failed, the views rest, and try the hour again the next day, after all others.
SELECT argMax(h.Hour, (NOT h.IsTried, h.Hour)) AS Hour, now64(6, 'UTC') AS Tried
FROM flamespan_v1_hours AS h
WHERE NOT h.IsSummed AND h.Hour <= now() - INTERVAL 80 MINUTE
    AND (h.Received <= now() - INTERVAL 20 MINUTE
        OR h.Generation = toDateTime(0, 'UTC') AND h.Hour <= now() - INTERVAL 4 HOUR)
    AND (NOT h.IsTried OR h.Tried <= now() - INTERVAL 1 DAY)
    AND (SELECT countIf(IsTried AND Tried > now() - INTERVAL 1 HOUR) FROM flamespan_v1_hours) = 0
HAVING count() > 0
