-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements: the requests with the sums of their samples.
--
-- service    of the local root spans, '' for all
    linked AS (
        SELECT SpanKey, HasLink, ProfileService,
-- The program puts sums-of-samples.sql here.
            , sum(Others) AS others
        FROM samples AS s
        GROUP BY SpanKey, HasLink, ProfileService
    ),
    requests AS (
        SELECT RootTraceId, RootId,
            multiIf(RootId != '', '', NOT HasLink, 'no Link', IsReceived, 'local root not received',
                'span not received') AS reason,
            any(RootName) AS name, any(RootService) AS service, any(RootVersion) AS version,
            any(RootStart) AS start, any(RootDuration) AS duration, any(RootHasDuration) AS hasDuration,
            sum(linked.samples) AS samples, sum(linked.cpuNanos) AS cpuNanos,
            sum(linked.waits) AS waits, sum(linked.waitNanos) AS waitNanos,
            sum(linked.allocations) AS allocations, sum(linked.allocatedBytes) AS allocatedBytes,
            sum(linked.locks) AS locks, sum(linked.lockNanos) AS lockNanos, sum(linked.others) AS others
        FROM spans
        FULL JOIN linked ON linked.SpanKey = spans.SpanKey
        WHERE {service:String} = '' OR if(RootId != '', RootService, ProfileService) = {service:String}
        GROUP BY RootTraceId, RootId, reason
    )
