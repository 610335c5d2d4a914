-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the flame graph of stacks as the nested set of Grafana's flame graph panel: the frames with their
-- levels, depth first, up to the 10,000 with the most time. The root has level 0 and the sum of all.
    paths AS (
        -- A sum of hashes that depend on the depth identifies a frame with all its callers; 0 is the root.
        SELECT sums.StackKey AS StackKey, cpuNanos, arrayMap(frame -> frame.1, Frames) AS names,
            arrayPushFront(arrayCumSum(arrayMap((name, depth) -> cityHash64(name, depth), names, arrayEnumerate(names))),
                toUInt64(0)) AS hashes
        FROM sums
        INNER JOIN stacks ON stacks.StackKey = sums.StackKey
    ),
    nodes AS (
        SELECT hash, any(depth) - 1 AS level, any(StackKey) AS OfStack, sum(cpuNanos) AS value,
            sumIf(cpuNanos, depth = length(names) + 1) AS self
        FROM paths
        ARRAY JOIN hashes AS hash, arrayEnumerate(hashes) AS depth
        GROUP BY hash
        -- The callers of a frame come before it.
        ORDER BY value DESC, level, hash
        LIMIT 10000
    )
SELECT level, value, self, if(level = 0, 'total', path[level]) AS label
FROM nodes
INNER JOIN (SELECT StackKey, arrayMap(frame -> frame.1, Frames) AS path FROM stacks) AS found ON found.StackKey = nodes.OfStack
ORDER BY arraySlice(path, 1, level)
