-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Removes what the statements of sums.sql create, whatever of it is there. Inserts succeed meanwhile.
DROP VIEW IF EXISTS flamespan_v1_hour_chosen, flamespan_v1_sums_filled, flamespan_v1_days_filled, flamespan_v1_profiles_received,
    flamespan_v1_spans_received, flamespan_v1_stacks, flamespan_v1_days, flamespan_v1_hours;

DROP TABLE IF EXISTS flamespan_v1_hours_tried, flamespan_v1_sums;
