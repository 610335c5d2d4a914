-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- For the page: the stops of the JVM and the throttling of each process, as they were sent.
--
-- from, to   the range of time, UTC
-- service    of the processes, '' for all
SELECT reinterpretAsInt64(cityHash64(ResourceAttributes['service.namespace'], ServiceName, ResourceAttributes['service.instance.id'])) AS process,
    SampleType = 'jvm_stopped' AS isStop, toInt64(time) AS begin, toInt64(value) AS nanos,
    if(notEmpty(FunctionNames), toString(FunctionNames[1]), '') AS cause
FROM otel_profiles
ARRAY JOIN TimestampsUnixNano AS time, arrayResize(Values, length(TimestampsUnixNano)) AS value
WHERE Timestamp >= {from:DateTime64(9, 'UTC')} AND Timestamp < {to:DateTime64(9, 'UTC')}
    AND SampleType IN ('jvm_stopped', 'cpu_throttled') AND SampleUnit = 'nanoseconds'
    AND length(Values) = length(TimestampsUnixNano) AND value BETWEEN 0 AND 31622400000000000 AND time >= 1000000000
    AND ({service:String} = '' OR concat(if(ResourceAttributes['service.namespace'] = '', '',
        concat(ResourceAttributes['service.namespace'], '/')), if(ServiceName = '', '(service unknown)', ServiceName)) = {service:String})
