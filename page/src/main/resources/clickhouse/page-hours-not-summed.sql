-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the hours with rows that are not summed, and when sums begin.
--
-- from, to   the range of time, UTC
WITH Hour >= {from:DateTime64(9, 'UTC')} AND Hour < {to:DateTime64(9, 'UTC')} AND NOT IsSummed AS isLate,
    Generation > toDateTime(0, 'UTC') AS isThere
SELECT toInt64(countIf(isLate)) AS count, toInt64(countIf(isLate AND NOT isThere)) AS absent,
    arrayMap(hour -> formatDateTime(hour, '%FT%H:%iZ', 'UTC'),
        arrayReverse(arraySlice(arraySort(hour -> -toInt64(hour), groupArrayIf(Hour, isLate)), 1, 3))) AS hours,
    if(minIf(Hour, isThere) > {from:DateTime64(9, 'UTC')}, formatDateTime(minIf(Hour, isThere), '%FT%H:%iZ', 'UTC'), '') AS begin
FROM flamespan_v1_hours
