-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements, in place of the one for the exporter's tables: the requests with the sums of their samples. They
-- have no ids. Rows of the same reason are one request.
--
-- service    of the local root spans, '' for all
    keyed AS (
        SELECT if(IsJoined, RequestKey, multiIf(NOT HasLink, 1, SpanHour > 0 AND SpanHour < {to:DateTime64(9, 'UTC')}, 2, 3)) AS request,
            max(if(IsJoined, RootKey, 0)) AS SpanKey, max(RootDuration) AS duration,
-- The program puts sums-of-samples.sql here.
            , sum(s.Others) AS others
        FROM hourSums AS s
        WHERE NOT IsStack AND ({service:String} = '' OR if(IsJoined, RootServiceName, ProfileService) = {service:String})
        GROUP BY request
    ),
    requests AS (
        SELECT keyed.*, '' AS RootTraceId, if(request > 3, toString(request), '') AS RootId, 0 AS start,
            transform(request, [1, 2, 3], ['no Link', 'local root not received', 'span not received'], '') AS reason,
            RootName AS name, RootService AS service
        FROM keyed
        LEFT JOIN spans ON spans.SpanKey = keyed.SpanKey
    )
