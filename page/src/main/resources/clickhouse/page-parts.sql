-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples of each request, by the numbers of io.flamespan.page.timeline.RequestSamples, and its exact times.
-- Samples that differ by their times alone have one amount, number and code; their times follow each other in one array.
--
-- from, to   the range of time, UTC
-- service    of the local root spans, '' for all
-- reason0 … reason5, about0, about1   the patterns of io.flamespan.page.results.WaitReasons
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts parts-of-spans.sql here.
SELECT reinterpretAsInt64(RequestKey) AS request, reinterpretAsInt64(endpointKey) AS key, rootStart AS start,
    rootDuration AS duration, hasDuration, reinterpretAsInt64(rootProcess) AS process, amounts, numbers, codes, sizes, moments, cpuPeriod,
    exactSeconds
FROM measured
