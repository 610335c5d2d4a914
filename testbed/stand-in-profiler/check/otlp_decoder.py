# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# Decodes OTLP profiles with a table of their messages, which was written from the .proto files.
import struct

ANY = {1: "string_value str", 3: "int_value int"}
KEY_VALUE = {1: "key str", 2: ("value", ANY)}
VALUE_TYPE = {1: "type_strindex int", 2: "unit_strindex int"}
SAMPLE = {
    1: "stack_index int",
    2: "attribute_indices ints",
    3: "link_index int",
    4: "values ints",
    5: "timestamps_unix_nano fixed64s",
}
PROFILE = {
    1: ("sample_type", VALUE_TYPE),
    2: ("samples[]", SAMPLE),
    3: "time_unix_nano fixed64",
    4: "duration_nano int",
    5: ("period_type", VALUE_TYPE),
    6: "period int",
    7: "profile_id bytes",
}
SCOPE_PROFILES = {1: ("scope", {1: "name str", 2: "version str"}), 2: ("profiles[]", PROFILE)}
RESOURCE_PROFILES = {
    1: ("resource", {1: ("attributes[]", KEY_VALUE)}),
    2: ("scope_profiles[]", SCOPE_PROFILES),
}
MAPPING = {
    1: "memory_start int",
    2: "memory_limit int",
    3: "file_offset int",
    4: "filename_strindex int",
    5: "attribute_indices ints",
}
LINE = {1: "function_index int", 2: "line int", 3: "column int"}
LOCATION = {
    1: "mapping_index int",
    2: "address int",
    3: ("lines[]", LINE),
    4: "attribute_indices ints",
}
DICTIONARY = {
    1: ("mapping_table[]", MAPPING),
    2: ("location_table[]", LOCATION),
    3: ("function_table[]", {1: "name_strindex int", 3: "filename_strindex int"}),
    4: ("link_table[]", {1: "trace_id bytes", 2: "span_id bytes"}),
    5: "string_table strs",
    6: (
        "attribute_table[]",
        {1: "key_strindex int", 2: ("value", ANY), 3: "unit_strindex int"},
    ),
    7: ("stack_table[]", {1: "location_indices ints"}),
}
REQUEST = {1: ("resource_profiles[]", RESOURCE_PROFILES), 2: ("dictionary", DICTIONARY)}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def varints(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def new(schema):
    """Returns the fields of an empty message."""
    message = {}
    for field in schema.values():
        name, kind = field if isinstance(field, tuple) else field.split()
        if name.endswith("[]") or kind in ("ints", "fixed64s", "strs"):
            message[name.removesuffix("[]")] = []
        elif isinstance(kind, dict):
            message[name] = None
        else:
            message[name] = {"str": "", "bytes": b""}.get(kind, 0)
    return message


def add_bytes(message, name, kind, data):
    if isinstance(kind, dict):
        value = decode(data, kind)
        if name.endswith("[]"):
            message[name.removesuffix("[]")].append(value)
        else:
            message[name] = value
    elif kind == "strs":
        message[name].append(data.decode("utf-8"))
    elif kind == "ints":
        message[name] += varints(data)
    elif kind == "fixed64s":
        message[name] += struct.unpack(f"<{len(data) // 8}Q", data)
    elif kind in ("str", "bytes"):
        message[name] = data.decode("utf-8") if kind == "str" else data
    else:
        raise ValueError(f"{name} is not a number")


def decode(data, schema=None):
    schema = REQUEST if schema is None else schema
    message, at = new(schema), 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        if number not in schema:
            raise ValueError(f"field {number} is not expected here")
        field = schema[number]
        name, kind = field if isinstance(field, tuple) else field.split()
        if wire_type == 2:
            size, at = varint(data, at)
            if size > len(data) - at:
                raise ValueError(f"{name} is longer than its message")
            add_bytes(message, name, kind, data[at : at + size])
            at += size
        elif (wire_type, kind) == (0, "int"):
            message[name], at = varint(data, at)
        elif (wire_type, kind) == (1, "fixed64"):
            (message[name],) = struct.unpack_from("<Q", data, at)
            at += 8
        else:
            raise ValueError(f"{name} has the wire type {wire_type}")
    return message
