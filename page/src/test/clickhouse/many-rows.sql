-- Copyright The Flamespan Authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Fills the exporter's tables: traces of five spans from 40 endpoints, and samples of 10,000 distinct stacks. Every
-- twentieth sample does not have a Link. A trace begins each step of nanoseconds.
INSERT INTO otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, ResourceAttributes,
    Duration, StatusCode)
SELECT fromUnixTimestamp64Nano(toInt64(1767225600000000000 + trace * {step:UInt64})), leftPad(lower(hex(trace)), 32, '0'),
    leftPad(lower(hex(number + 1)), 16, '0'), if(inner = 0, '', leftPad(lower(hex(number - inner + 1)), 16, '0')),
    if(inner = 0, concat('GET /endpoint/', toString(trace % 40)), 'work'), if(inner = 0, 'Server', 'Internal'), 'shop',
    map('service.name', 'shop', 'service.version', toString(trace % 3)),
    if(inner = 0, trace % 997 * 1000000, 1000000), 'Unset'
FROM (SELECT number, intDiv(number, 5) + 1 AS trace, number % 5 AS inner FROM numbers({spans:UInt64}));
INSERT INTO otel_profiles (Timestamp, SampleType, SampleUnit, ServiceName, ResourceAttributes, StackHash, Addresses,
    FunctionNames, FileNames, LineNumbers, MappingFileNames, Values, TimestampsUnixNano, Period, PeriodType, PeriodUnit,
    TraceId, SpanId)
WITH arrayReverse(arrayConcat(
        arrayMap(depth -> concat('com.example.shop.Layer', toString(depth), '.method', toString(stack % least(depth * depth + 1, 300))),
            range(30)),
        [concat('com.example.shop.Leaf.method', toString(stack))])) AS names
SELECT fromUnixTimestamp64Nano(toInt64(1767225600000000000 + trace * {step:UInt64})), 'samples', 'count', 'shop',
    map('service.name', 'shop'), sipHash64(names), arrayMap(name -> 0, names), names, arrayMap(name -> '', names),
    arrayMap(name -> 0, names), arrayMap(name -> '', names), [], [toUInt64(1767225600000000000 + trace * {step:UInt64})],
    10000000, 'cpu', 'nanoseconds', if(trace = 0, '', leftPad(lower(hex(trace)), 32, '0')),
    if(trace = 0, '', leftPad(lower(hex((trace - 1) * 5 + 1)), 16, '0'))
FROM (
    SELECT number % 10000 AS stack, if(number % 20 = 0, 0, cityHash64(number) % intDiv({spans:UInt64}, 5) + 1) AS trace
    FROM numbers({samples:UInt64})
);
