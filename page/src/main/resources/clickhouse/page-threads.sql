-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the samples without a Link by thread name, with # in place of each number.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
--
-- The program puts the shared part of endpoints.sql before this one.
SELECT replaceRegexpAll(if(Thread = '', '(no name)', Thread), '[0-9]+', '#') AS thread,
    sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos
FROM samples AS s
WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
GROUP BY thread
HAVING samples + waits > 0
ORDER BY cpuNanos DESC, thread
