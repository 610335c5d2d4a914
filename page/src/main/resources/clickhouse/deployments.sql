-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Endpoints by deployment (service.version), to compare two versions, in nanoseconds.
--
-- from, to   the range of time, UTC
-- traces     the ids of the only traces to read, or []
-- service    of the local root spans, such as shop, or NAMESPACE/shop if it has a namespace, '' for all
-- environment   of the spans, '' for all
WITH
-- The program puts spans-and-samples.sql here.
    ,
-- The program puts requests.sql here.
SELECT name AS endpoint, service, version, count() AS requests, round(ifNull(avgOrNullIf(duration, hasDuration), 0)) AS meanNanos,
    sum(r.cpuNanos) AS cpuNanos, round(cpuNanos / requests) AS cpuNanosOfRequest, sum(r.waitNanos) AS waitNanos
FROM requests AS r
WHERE reason = ''
GROUP BY endpoint, service, version
ORDER BY endpoint, service, min(start)
