-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: what was measured of each request, by slots as io.flamespan.page.timeline.Measured numbers them: parts,
-- then those by samples of locks, then those that are exact.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- reason0 … reason5, about0, about1   the patterns of io.flamespan.page.results.WaitReasons
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts parts-of-spans.sql here.
SELECT reinterpretAsInt64(endpointKey) AS key, rootStart AS start, rootDuration AS duration,
    reinterpretAsInt64(rootProcess) AS process, partSlots, partCounts, partNanos, longest, exactSeconds
FROM measured
