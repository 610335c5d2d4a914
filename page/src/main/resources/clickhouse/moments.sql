-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: the amounts by second.
--
-- from, to   the range of time, UTC
    moments AS (
        SELECT SpanKey, HasLink, ProfileService, intDiv(moment, 1000000000) AS second,
            -- A time far outside the range is one of a wrong clock.
            moment BETWEEN toUnixTimestamp64Nano({from:DateTime64(9, 'UTC')} - INTERVAL 1 HOUR)
                AND toUnixTimestamp64Nano({to:DateTime64(9, 'UTC')} + INTERVAL 1 HOUR) AS isNear,
            sum(intDiv(CpuNanos, length(Moments))) AS cpuNanos, sum(intDiv(WaitNanos, length(Moments))) AS waitNanos,
            sum(intDiv(AllocatedBytes, length(Moments))) AS allocatedBytes,
            sum(intDiv(LockNanos, length(Moments))) AS lockNanos
        FROM samples
        ARRAY JOIN Moments AS moment
        -- A time outside this range is unknown.
        WHERE CpuNanos + WaitNanos + AllocatedBytes + LockNanos > 0 AND moment BETWEEN 1000000000 AND 2147483646999999999
        GROUP BY SpanKey, HasLink, ProfileService, second, isNear
    ),
