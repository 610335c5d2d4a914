-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the sum of all samples, without the join, to check it.
--
-- from, to   the range of time, UTC
WITH
-- The program puts spans-and-samples.sql here.
SELECT
-- The program puts sums-of-samples.sql here.
    , sum(s.Others) AS others
FROM samples AS s
