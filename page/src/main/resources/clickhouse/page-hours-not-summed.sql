-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the hours that are not summed.
--
-- from, to   the range of time, UTC
SELECT toInt64(sum(h.Profiles)) AS profiles, toInt64(count()) AS count,
    arrayMap(hour -> formatDateTime(hour, '%FT%H:%iZ', 'UTC'), arrayReverse(arraySlice(arraySort(hour -> -toInt64(hour), groupArray(Hour)), 1, 3))) AS hours
FROM flamespan_hours AS h
WHERE NOT IsSummed AND Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')}
HAVING count > 0
