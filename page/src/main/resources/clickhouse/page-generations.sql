-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: which sums it has, by the times at which they were made, so that all of its statements read the same.
--
-- from, to   the range of time, UTC, in whole hours
WITH arrayMap(hour -> toUnixTimestamp64Micro(hour.2), arrayFilter(
        hour -> hour.1 >= {from:DateTime64(9, 'UTC')} AND hour.1 < {to:DateTime64(9, 'UTC')}, Hours)) AS generations
SELECT toString(groupArrayArray(generations)) AS hours, toString(groupArrayArray(
        if(IsSummed AND Day >= {from:DateTime64(9, 'UTC')} AND Day <= {to:DateTime64(9, 'UTC')} - INTERVAL 1 DAY,
            [toUnixTimestamp64Micro(Generation)], generations))) AS stacks
FROM flamespan_v1_days
WHERE Day >= toStartOfDay({from:DateTime64(9, 'UTC')}) AND Day < {to:DateTime64(9, 'UTC')}
