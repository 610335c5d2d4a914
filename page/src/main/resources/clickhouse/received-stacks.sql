-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of a statement: the stacks, with the names of their frames as they were sent.
SELECT cityHash64(p.StackHash, p.MappingFileNames, emptyArrayString()) AS StackKey, any(p.FunctionNames) AS FunctionNames,
    any(p.FileNames) AS FileNames, any(p.MappingFileNames) AS MappingFileNames, any(emptyArrayString()) AS Kinds,
    toStartOfHour(max(p.Timestamp), 'UTC') AS LastHour
FROM otel_profiles AS p
WHERE p.Timestamp >= now() - INTERVAL 30 DAY - INTERVAL 2 DAY AND p.Timestamp < now() + INTERVAL 1 DAY
GROUP BY StackKey
