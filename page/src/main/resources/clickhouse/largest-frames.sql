-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the largest frames of each number.
--
-- most       the number of frames of each
    paths AS (
        -- A sum of hashes that depend on the depth identifies a frame with all its callers; 0 is the root.
        SELECT StackKey, arrayPushFront(Frames, ('', '', '')) AS frames, arrayEnumerate(frames) AS depths,
            arrayPushFront(RawNames, '') AS rawNames,
            arrayPushFront(arrayCumSum(arrayMap((frame, depth) -> cityHash64(frame, depth), Frames, arrayEnumerate(Frames))),
                toUInt64(0)) AS hashes,
            arrayPushFront(arrayPopBack(hashes), toUInt64(0)) AS parents,
            arrayMap(depth -> depth = length(frames), depths) AS areLeaves
        FROM stacks
    ),
    nodes AS (
        SELECT hash, any(depth) AS level, any(parent) AS parentHash, any((frame.1, frame.2, frame.3, rawName)) AS named,
            groupArray((StackKey, isLeaf)) AS inStacks, sum(cityHash64(StackKey)) AS chain
        FROM paths
        ARRAY JOIN hashes AS hash, depths AS depth, parents AS parent, frames AS frame, rawNames AS rawName,
            areLeaves AS isLeaf
        GROUP BY hash
    ),
    -- A chain is a run of frames that are in the same stacks, and therefore have the same sums. Only its last frame
    -- has time in itself.
    chains AS (
        SELECT chain, count() AS size, min(level) AS firstLevel, argMax(inStacks, level) AS stacksOfChain,
            arraySort(groupArray((level, hash, parentHash, named))) AS frames
        FROM nodes
        GROUP BY chain
    ),
    sums AS (
        SELECT number, chain, any(size) AS length, any(firstLevel) AS level,
            sum(j.samples) AS samples, sum(j.cpuNanos) AS cpuNanos, sum(j.waits) AS waits, sum(j.waitNanos) AS waitNanos,
            sum(j.allocations) AS allocations, sum(j.allocatedBytes) AS allocatedBytes, sum(j.locks) AS locks,
            sum(j.lockNanos) AS lockNanos,
            sumIf(j.samples, isLeaf) AS samplesSelf, sumIf(j.cpuNanos, isLeaf) AS cpuNanosSelf,
            sumIf(j.waits, isLeaf) AS waitsSelf, sumIf(j.waitNanos, isLeaf) AS waitNanosSelf,
            sumIf(j.allocations, isLeaf) AS allocationsSelf, sumIf(j.allocatedBytes, isLeaf) AS allocatedBytesSelf,
            sumIf(j.locks, isLeaf) AS locksSelf, sumIf(j.lockNanos, isLeaf) AS lockNanosSelf,
            sumMapIf([j.Line], [j.cpuNanos], [j.waitNanos], isLeaf AND j.Line > 0) AS lines
        FROM joined AS j
        INNER JOIN (
            SELECT chain, size, firstLevel, inStack.1 AS StackKey, inStack.2 AS isLeaf
            FROM chains
            ARRAY JOIN stacksOfChain AS inStack
        ) AS s ON s.StackKey = j.StackKey
        GROUP BY number, chain
    ),
    shares AS (
        SELECT *, sum(length) OVER (PARTITION BY number) AS nodesOfAll,
            greatest(cpuNanos / greatest(1, max(cpuNanos) OVER (PARTITION BY number)),
                waitNanos / greatest(1, max(waitNanos) OVER (PARTITION BY number)),
                allocatedBytes / greatest(1, max(allocatedBytes) OVER (PARTITION BY number)),
                lockNanos / greatest(1, max(lockNanos) OVER (PARTITION BY number))) AS share
        FROM sums
    ),
    largest AS (
        SELECT *, sum(length) OVER (PARTITION BY number ORDER BY share DESC, level, chain
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS place,
            toInt64(length) - greatest(0, toInt64(place) - toInt64({most:UInt64})) AS kept
        FROM shares
    )
SELECT reinterpretAsInt64(number) AS owner, nodesOfAll, reinterpretAsInt64(frame.2) AS node, reinterpretAsInt64(frame.3) AS parentNode,
    frame.4.1 AS name, frame.4.2 AS file, frame.4.3 AS kind, frame.4.4 AS raw, samples, cpuNanos, waits, waitNanos, allocations,
    allocatedBytes, locks, lockNanos, frame.1 = level + length - 1 AS isLast, samplesSelf, cpuNanosSelf, waitsSelf,
    waitNanosSelf, allocationsSelf, allocatedBytesSelf, locksSelf, lockNanosSelf,
    -- A frame without a function does not have lines.
    if(isLast AND NOT startsWith(name, '['), lines.1, []) AS lineNumbers,
    if(isLast AND NOT startsWith(name, '['), lines.2, []) AS lineCpuNanos,
    if(isLast AND NOT startsWith(name, '['), lines.3, []) AS lineWaitNanos
FROM (SELECT * FROM largest WHERE kept > 0) AS l
INNER JOIN chains ON chains.chain = l.chain
ARRAY JOIN arraySlice(chains.frames, 1, kept) AS frame
ORDER BY owner, place, frame.1
