-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement, in place of the one for the exporter's tables: the amounts by hour.
    moments AS (
        SELECT if(IsJoined, RootKey, 0) AS SpanKey, HasLink, ProfileService, toInt64(toUnixTimestamp(Hour)) AS second, 1 AS isNear,
            sum(s.CpuNanos) AS cpuNanos, sum(s.WaitNanos) AS waitNanos, sum(s.AllocatedBytes) AS allocatedBytes,
            sum(s.LockNanos) AS lockNanos
        FROM hourSums AS s
        WHERE s.CpuNanos + s.WaitNanos + s.AllocatedBytes + s.LockNanos > 0
        GROUP BY SpanKey, HasLink, ProfileService, second
    ),
