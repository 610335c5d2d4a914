# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# verify_profiles.py FILE...: checks exports of profiles, and prints their content as NAME=VALUE.
import collections
import pathlib
import struct
import sys

from otlp_decoder import decode

MASK = (1 << 64) - 1
TABLES = ("mapping", "location", "function", "link", "string", "attribute", "stack")
problems = []
totals = collections.Counter()
values = collections.defaultdict(set)


def kind_of_link(trace_id, span_id):
    """Returns the kind of span of the fixture that has these ids, see related_ids.h."""
    number, complement = struct.unpack("=QQ", trace_id)
    (span,) = struct.unpack("=Q", span_id)
    if complement != number ^ MASK:
        return "unrelated"
    if span == number ^ 0x5555555555555555:
        return "transactions"
    return "spans" if span == number * 0x9E3779B97F4A7C15 & MASK else "unrelated"


class Export:
    def __init__(self, data):
        self.request = decode(data)
        self.tables = {name: self.request["dictionary"][f"{name}_table"] for name in TABLES}
        self.used = {name: {0} for name in TABLES}

    def item(self, table, index):
        self.used[table].add(index)
        return self.tables[table][index]

    def attributes(self, indices):
        found = {}
        for index in indices:
            attribute = self.item("attribute", index)
            key = self.item("string", attribute["key_strindex"])
            if key in found:
                problems.append(f"two attributes {key}")
            value = attribute["value"]
            found[key] = value["string_value"] or value["int_value"]
        return found

    def mapping(self, index, address):
        mapping = self.item("mapping", index)
        if not mapping["memory_start"] <= address < mapping["memory_limit"]:
            problems.append(f"the address {address:x} is outside its mapping")
        path = self.item("string", mapping["filename_strindex"])
        build_id = self.attributes(mapping["attribute_indices"]).get(
            "process.executable.build_id.gnu", "none"
        )
        values["mapping"].add(f"{path.rsplit('/', 1)[-1]}:{build_id}")

    def frame(self, index):
        location = self.item("location", index)
        kind = self.attributes(location["attribute_indices"]).get("profile.frame.type", "unknown")
        totals[f"frames_{kind}"] += 1
        if location["mapping_index"] != 0:
            self.mapping(location["mapping_index"], location["address"])
        names = [
            self.item("string", self.item("function", line["function_index"])["name_strindex"])
            for line in location["lines"]
        ]
        return "/".join(names) or "native"

    def sample(self, sample, begin, end):
        times = sample["timestamps_unix_nano"]
        totals["samples"] += len(times)
        if sample["values"] or not times:
            problems.append("a sample has values, or no timestamps")
        if not all(begin <= time < end for time in times):
            problems.append("a sample is outside the time of its profile")
        stack = self.item("stack", sample["stack_index"])
        frames = [self.frame(index) for index in stack["location_indices"]]
        values["stack"].add(";".join(frames))
        attributes = self.attributes(sample["attribute_indices"])
        values["thread_name"].add(attributes["thread.name"])
        values["thread_id"].add(attributes["thread.id"])
        if sample["link_index"] != 0:
            link = self.item("link", sample["link_index"])
            totals["linked"] += len(times)
            totals[kind_of_link(link["trace_id"], link["span_id"])] += len(times)
            values["link"].add(link["trace_id"].hex() + "-" + link["span_id"].hex())

    def profile(self, profile):
        begin = profile["time_unix_nano"]
        for name in ("sample_type", "period_type"):
            value_type = profile[name]
            if value_type is not None:
                value = [self.item("string", value_type[f"{x}_strindex"]) for x in ("type", "unit")]
                values[name].add("/".join(value))
        values["period"].add(profile["period"])
        values["profile_id"].add(profile["profile_id"].hex())
        identities = [
            (s["stack_index"], tuple(s["attribute_indices"]), s["link_index"])
            for s in profile["samples"]
        ]
        if len(set(identities)) != len(identities):
            problems.append("equal samples are not merged")
        for sample in profile["samples"]:
            self.sample(sample, begin, begin + profile["duration_nano"])

    def verify_tables(self):
        for name, table in self.tables.items():
            first = table[0]
            empty = first == "" if name == "string" else not any(
                any(v) if isinstance(v, bytes) else v for v in first.values()
            )
            if not empty:
                problems.append(f"the first {name} is not the empty one")
            if len({str(item) for item in table}) != len(table):
                problems.append(f"two equal items in the table of {name}s")
            if self.used[name] != set(range(len(table))):
                problems.append(f"an item of the table of {name}s is not used")
        link = self.tables["link"][0]
        if (len(link["trace_id"]), len(link["span_id"])) != (16, 8):
            problems.append("the ids of the first link are not of full length")

    def verify(self):
        totals["exports"] += 1
        for resource in self.request["resource_profiles"]:
            for attribute in resource["resource"]["attributes"]:
                value = attribute["value"]
                values[attribute["key"]].add(value["string_value"] or value["int_value"])
            for scope in resource["scope_profiles"]:
                values["scope"].add(scope["scope"]["name"])
                for profile in scope["profiles"]:
                    self.profile(profile)
        self.verify_tables()


for path in sys.argv[1:]:
    try:
        Export(pathlib.Path(path).read_bytes()).verify()
    except (ValueError, IndexError, TypeError, KeyError) as failure:
        problems.append(f"{path} is not an export: {failure!r}")
for total in ("exports", "samples", "linked", "transactions", "spans", "unrelated"):
    print(f"{total}={totals[total]}")
for total in sorted(totals):
    if total.startswith("frames_"):
        print(f"{total}={totals[total]}")
for name, found in sorted(values.items()):
    print(f"{name}={' '.join(sorted(map(str, found)))}")
print(f"profile_ids={len(values['profile_id'])}")
print(f"problems={' | '.join(sorted(set(problems))) or 'none'}")
