-- Copyright The OpenTelemetry Profiling Correlation Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the CPU time without a Link by threads, with # in place of each number in their names.
--
-- from, to   the range of time, UTC
-- service    of the profiles, '' for all
WITH
-- The program puts the shared part of endpoints.sql here.
SELECT Process AS process, replaceRegexpAll(if(Thread = '', '(no name)', Thread), '[0-9]+', '#') AS thread,
    reinterpretAsInt64(cityHash64(process, thread)) AS key,
    sum(s.Samples) AS samples, sum(s.CpuNanos) AS cpuNanos, sum(s.Waits) AS waits, sum(s.WaitNanos) AS waitNanos
FROM samples AS s
WHERE NOT HasLink AND ({service:String} = '' OR ProfileService = {service:String})
GROUP BY process, thread
HAVING cpuNanos > 0
ORDER BY cpuNanos DESC, thread, process
