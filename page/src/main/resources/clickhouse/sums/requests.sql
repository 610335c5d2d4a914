-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- A part of statements, in place of the one for the exporter's tables: the requests with the sums of their samples.
--
-- service    of the local root spans, '' for all
    requests AS (
        SELECT if(IsJoined, RequestKey, 0) AS request,
            multiIf(IsJoined, '', NOT HasLink, 'no Link', SpanHour > 0 AND SpanHour < {to:DateTime64(9, 'UTC')},
                'local root not received', 'span not received') AS reason,
            if(reason = '', any(s.RootTraceId), '') AS RootTraceId, if(reason = '', any(s.RootId), '') AS RootId,
            any(RootName) AS name, any(RootService) AS service, any(RootVersion) AS version,
            any(RootStart) AS start, any(RootDuration) AS duration,
-- The program puts sums-of-samples.sql here.
            , sum(s.Others) AS others
        FROM hourSums AS s
        WHERE NOT IsStack AND ({service:String} = '' OR if(IsJoined, RootServiceName, ProfileService) = {service:String})
        GROUP BY request, reason
    )
