#!/usr/bin/env python3
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# check_join.py OUTPUT FILE_OR_DIRECTORY... [--baseline FILE_OR_DIRECTORY...]: joins the files once more, without any code
# of the program, and compares all sums with those of flame-graphs.html, summary.json and profile.pb.gz in the directory
# OUTPUT. Reads OTLP JSON, gzip or not. Prints each difference, and exits with status 1 if there is one. An
# output from ClickHouse has no profile.pb.gz.
import base64
import collections
import gzip
import json
import os
import re
import sys
import zlib

TIMES = {"nanoseconds": 1, "nanosecond": 1, "ns": 1, "microseconds": 1e3, "us": 1e3, "milliseconds": 1e6, "ms": 1e6,
         "seconds": 1e9, "s": 1e9}
CPU_TYPES = {"cpu", "on-cpu", "on_cpu", "ctimer", "itimer"}
MESSAGE = re.compile(r'^\{\s*"(resource(Spans|Profiles|Logs|Metrics|_)|dictionary")', re.MULTILINE)
OUTPUTS = {"flame-graphs.html", "speedscope.json", "profile.pb.gz", "firefox-profile.json", "summary.json", "summary.md"}


def content(path):
    """The text, as far as it can be decompressed."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        inflate = zlib.decompressobj(wbits=31)
        data = inflate.decompress(data)
    return data.decode("utf-8", "replace")


def messages(text):
    """All objects. After a damaged one, goes on with the next line that begins a message."""
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            value = None
            later = MESSAGE.search(text, at + 1)
            end = later.start() if later else len(text)
            if text[at] not in "{[":
                end = text.find("\n", at) % (len(text) + 1)
        at = end
        if isinstance(value, dict):
            yield value


def read(paths):
    seen = set()
    for path in paths:
        files = [path]
        if os.path.isdir(path):
            files = sorted(os.path.join(root, name) for root, _, names in os.walk(path) for name in names)
            files = [file for file in files if os.path.basename(file) not in OUTPUTS]
        for file in files:
            if os.path.realpath(file) not in seen:
                seen.add(os.path.realpath(file))
                yield from messages(content(file))


# By the kind of a sample: the names of numbers and of amounts in summary.json, on the page, and in pprof.
NAMES = {
    "cpu": [("samples", "cpuNanos"), ("samples", "cpu"), ("samples", "cpu")],
    "wait": [("waits", "waitNanos"), ("waits", "waiting"), ("waits", "off_cpu")],
    "alloc": [("allocations", "allocatedBytes"), ("allocations", "allocated"), ("alloc_samples", "alloc_space")],
    "lock": [("locks", "lockNanos"), ("locks", "locking"), ("contentions", "lock")],
}
KEYS = [key for names in NAMES.values() for key in names[0]]


class Sum(collections.Counter):
    def put(self, kind, count, amount):
        counts, amounts = NAMES[kind][0]
        self[counts] += count
        self[amounts] += amount


def attribute(attributes, key):
    for one in attributes:
        if one["key"] == key:
            return one.get("value", {}).get("stringValue", "")
    return ""


def digits(text, size):
    """The hexadecimal digits of an id, which may be in base64."""
    if re.fullmatch("[0-9a-fA-F]{%d}" % (2 * size), text):
        return text.lower()
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)).hex()
    except ValueError:
        return ""


def span_id(trace, span):
    trace, span = digits(trace, 16), digits(span, 8)
    valid = re.fullmatch("[0-9a-f]{32}", trace) and re.fullmatch("[0-9a-f]{16}", span)
    return (trace, span) if valid and int(trace, 16) and int(span, 16) else None


class Join:
    def __init__(self):
        self.spans = {}
        self.samples = []  # link, kind, count, nanos, time
        self.profiles = set()

    def traces(self, message):
        for resource in message.get("resourceSpans", []):
            attributes = resource.get("resource", {}).get("attributes", [])
            process = tuple(attribute(attributes, "service." + key) for key in ("namespace", "name", "instance.id"))
            for scope in resource.get("scopeSpans", []):
                for span in scope.get("spans", []):
                    key = span_id(span.get("traceId", ""), span.get("spanId", ""))
                    if key:
                        self.spans.setdefault(key, (span, process))

    def profile_message(self, message):
        tables = message.get("dictionary", {})
        strings = tables.get("stringTable", [])
        links = tables.get("linkTable", [])
        stacks = len(tables.get("stackTable", []))
        if not stacks:
            return
        for resource in message.get("resourceProfiles", []):
            for scope in resource.get("scopeProfiles", []):
                for profile in scope.get("profiles", []):
                    self.profile(profile, strings, links, stacks)

    def profile(self, profile, strings, links, stacks):
        samples = profile.get("samples", [])
        kind, unit, period = kind_of(profile, strings)
        if kind == "time line":  # has no sums
            return
        for sample in samples:
            values = [int(value) for value in sample.get("values", [])]
            times = [int(one) for one in sample.get("timestampsUnixNano", [])]
            if unit is None:
                count = sum(values) if values else len(times)
            else:
                count = max(len(values), len(times))
            by_period = unit is None or (kind == "cpu" and not values)
            of_kind = "other" if by_period and period <= 0 else kind
            nanos = int((count * period if by_period else sum(values) * unit) + 0.5)
            if sample.get("stackIndex", 0) >= stacks or sample.get("linkIndex", 0) >= max(1, len(links)):
                continue
            link = links[sample["linkIndex"]] if sample.get("linkIndex", 0) else {}
            key = span_id(link.get("traceId", ""), link.get("spanId", ""))
            begin = int(profile.get("timeUnixNano", 0))
            end = begin + int(profile.get("durationNano", 0))
            moments = times or [begin if end > begin and end // 10 ** 9 == begin // 10 ** 9 else 0]
            parts = len(moments)
            for i, moment in enumerate(moments):
                part = nanos // parts if i + 1 < parts else nanos - nanos // parts * i
                if times and not by_period and len(values) == len(times):
                    part = int(values[i] * unit + 0.5)
                moment = moment if 0 < moment // 10 ** 9 < 2 ** 31 - 1 else 0
                self.samples.append((key, of_kind, count * (i + 1) // parts - count * i // parts, part, moment))

    def ends(self):
        """By local root span: the time after which samples are not those of the request."""
        extents, of_roots, agreeing, ends = {}, {}, set(), {}
        for link, kind, _, _, moment in self.samples:
            if link and moment and kind != "other":
                first, last = extents.get(link, (moment, moment))
                extents[link] = min(first, moment), max(last, moment)
        for link, (first, last) in extents.items():
            root = self.root(link) if link in self.spans else None
            if root:
                span, process = self.spans[root]
                start, end = (int(span.get(name, 0)) for name in ("startTimeUnixNano", "endTimeUnixNano"))
                if start < 946684800 * 10 ** 9 or end < start:
                    continue
                known = of_roots.get(root, (first, last, start, end))
                of_roots[root] = min(first, known[0]), max(last, known[1]), start, end
                if start <= first <= end or start <= last <= end:
                    agreeing.add(process)
        for root, (first, last, start, end) in of_roots.items():
            differs = first > end and last - first <= end - start and (
                self.spans[root][1] not in agreeing or first - end > 60 * 10 ** 9)
            if not differs:
                ends[root] = end
        return ends

    def of_requests(self):
        """All samples, with the local root span, and whether they are after its end."""
        ends = self.ends()
        for link, kind, count, nanos, moment in self.samples:
            root = self.root(link) if link in self.spans else None
            late = moment - (nanos if kind in ("wait", "lock") else 0) > ends.get(root, moment)
            yield link, kind, count, nanos, moment, root, late

    def is_root(self, key):
        span, process = self.spans[key]
        parent = digits(span.get("parentSpanId", ""), 8)
        if not parent or not int(parent, 16):
            return True
        flags = int(span.get("flags", 0))
        if flags & 0x100:
            return bool(flags & 0x200)
        above = self.spans.get((key[0], parent))
        if above is None or above[1] != process:
            return True
        return kind_of_span(above[0]) in (3, 4) and kind_of_span(span) in (2, 5)

    def root(self, key):
        passed = set()
        while key in self.spans and key not in passed:
            if self.is_root(key):
                return key
            passed.add(key)
            key = (key[0], digits(self.spans[key][0]["parentSpanId"], 8))
        return None

    def result(self):
        received, reasons, endpoints, requests = Sum(), collections.defaultdict(Sum), collections.defaultdict(Sum), {}
        for key in self.spans:
            if self.is_root(key):
                requests.setdefault(self.endpoint(key), []).append(key)
        for link, kind, count, nanos, _, root, late in self.of_requests():
            figures = ("cpu", count, 0) if kind == "other" else (kind, count, nanos)
            received.put(*figures)
            if kind == "other":
                reasons["neither CPU nor waiting"].put(*figures)
            elif link is None:
                reasons["no Link"].put(*figures)
            elif link not in self.spans:
                reasons["span not received"].put(*figures)
            elif root is None:
                reasons["local root not received"].put(*figures)
            elif late:
                reasons["after the end of a request"].put(*figures)
            else:
                endpoints[self.endpoint(root)].put(*figures)
        return received, reasons, endpoints, requests

    def slices(self, bin_of):
        """By endpoint and bin in which requests begin: the sums of their samples. The bin of the seconds is None outside."""
        slices = collections.defaultdict(lambda: collections.defaultdict(Sum))
        for _, kind, count, nanos, _, root, late in self.of_requests():
            if root and kind != "other" and not late:
                begin = int(self.spans[root][0].get("startTimeUnixNano", 0)) // 10 ** 9
                slices[self.endpoint(root)][bin_of(begin)].put(kind, count, nanos)
        return slices

    def over_time(self, kind, bin_of):
        """The amounts by endpoint and bin. The endpoint is "" for samples of no request, and None for others."""
        amounts = collections.Counter()
        for link, of, _, nanos, moment, root, late in self.of_requests():
            if of == kind and moment:
                owner = "" if link is None or late else self.endpoint(root) if root else None
                amounts[owner, bin_of(moment // 10 ** 9)] += nanos
        return amounts

    def endpoint(self, key):
        span, (namespace, name, _) = self.spans[key]
        return span.get("name", ""), (namespace + "/" if namespace else "") + (name or "(service unknown)")


def kind_of_span(span):
    names = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"]
    kind = span.get("kind", 0)
    return names.index(kind[len("SPAN_KIND_"):]) if isinstance(kind, str) else kind


def kind_of(profile, strings):
    def value_type(name):
        of = profile.get(name, {})
        return strings[of.get("typeStrindex", 0)], strings[of.get("unitStrindex", 0)]

    (kind, unit), (period_type, period_unit) = value_type("sampleType"), value_type("periodType")
    size = TIMES.get(unit, 0 if unit == "bytes" else None)  # of a value that is no number of samples
    period = int(profile.get("period", 0)) * TIMES.get(period_unit, 0)
    counted = unit in ("count", "counts", "samples", "")
    sampled = (unit in TIMES or counted) and period_type in CPU_TYPES
    found = "other"
    if kind in ("runnable", "jvm_stopped", "cpu_throttled", "lock_holder") and unit in TIMES:
        found = "time line"
    elif kind in CPU_TYPES:
        found = "cpu" if unit in TIMES or counted else "other"
    elif kind in ("off_cpu", "off-cpu"):
        found = "wait" if unit in TIMES else "other"
    elif kind == "events":
        found = "wait" if unit in TIMES else "cpu" if sampled else "other"
    elif kind == "perf_events":
        found = "cpu" if unit in TIMES or counted and period else "other"
    elif kind in ("alloc_space", "alloc", "allocations"):
        found, size = ("alloc", 1) if unit == "bytes" else ("other", size)
    elif kind in ("lock", "locks"):
        found = "lock" if unit in TIMES else "other"
    elif kind in ("samples", ""):
        found = "cpu" if sampled or counted and not period_type else "other"
    return found, size, period


def fields(data):
    """The fields of a protobuf message: (number, value)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            size = varint()
            yield tag >> 3, data[at:at + size]
            at += size


def packed(data):
    if isinstance(data, int):
        return [data]
    return [value for _, value in fields(b"".join(b"\x08" + one for one in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", data)))]


def pprof(path):
    """The sums by (span name, service name), with ('', thread) for samples without a request."""
    strings, samples, types = [], [], []
    with gzip.open(path) as file:
        for number, value in fields(file.read()):
            if number == 6:
                strings.append(value.decode("utf-8", "replace"))
            elif number == 2:
                samples.append(value)
            elif number == 1:
                types.append(dict(fields(value)).get(1, 0))
    keys = dict(pair for summary, _, of_pprof in NAMES.values() for pair in zip(of_pprof, summary))
    sums = collections.defaultdict(Sum)
    for sample in samples:
        values, labels = [], {}
        for number, value in fields(sample):
            if number == 2:
                values += packed(value)
            elif number == 3:
                label = dict(fields(value))
                labels[strings[label.get(1, 0)]] = strings[label.get(2, 0)]
        key = (labels["span name"], labels["service name"]) if "trace id" in labels else None
        for kind, value in zip(types, values):
            sums[key][keys[strings[kind]]] += value
    return sums


def differences(join, before, output):
    received, reasons, endpoints, requests = join.result()
    of_all_samples = os.path.join(output, "profile.pb.gz")
    with open(os.path.join(output, "summary.json"), encoding="utf-8") as file:
        summary = json.load(file)
    with open(os.path.join(output, "flame-graphs.html"), encoding="utf-8") as file:
        page = json.loads(re.search('<script id="data" type="application/json">(.*?)</script>', file.read(), re.S)[1])

    def of_page(tally, value=lambda found: found):
        pairs = [pair for summary, of_page, _ in NAMES.values() for pair in zip(summary, of_page)]
        return {key: value(tally[name]) if name in tally else 0 for key, name in pairs}

    def root(tree):
        return of_page(tree, lambda values: values[0])

    def compare(what, expected, found):
        for key in KEYS:
            if expected[key] != found.get(key, 0):
                yield f"{what}: {key} is {found.get(key, 0)} in place of {expected[key]}"

    yield from compare("summary, received", received, summary["received"])
    yield from compare("page, received", received, of_page(page["received"]))
    for reason in page["unjoined"]:
        name = reason["reason"]
        yield from compare("summary, " + name, reasons[name], summary["notOnThePage"][name])
        yield from compare("page, " + name, reasons[name], of_page(reason["tally"]))
    found = {(one["name"], one["service"]): one for one in summary["endpoints"]}
    if set(found) != set(requests):
        yield f"summary: the endpoints are {sorted(found)} in place of {sorted(requests)}"
    for key, of in requests.items():
        one = found.get(key, {})
        yield from compare(f"summary, {key}", endpoints[key], one)
        if one.get("requests") != len(of):
            yield f"summary, {key}: {one.get('requests')} requests in place of {len(of)}"
    if len(found) == len(page["endpoints"]):
        for one in page["endpoints"]:
            yield from compare(f"graph of {one['name']}", endpoints[one["name"], one["service"]], root(one["tree"]))
        yield from differences_by_time(join, page)
        if os.path.exists(of_all_samples) and len(page["overTime"]["series"][0]) > 1:
            yield from differences_of_slices(join, page)
    if before:
        yield from differences_of_sides(before, join, page["comparison"]["endpoints"])
    for key in ("cpuNanos", "allocatedBytes", "lockNanos"):
        threads = sum(root(one["tree"])[key] for one in page["threads"])
        expected = reasons["no Link"][key] + reasons["after the end of a request"][key]
        if threads != expected:
            yield f"graphs of threads: {key} is {threads} in place of {expected}"
    if not os.path.exists(of_all_samples):
        return
    of_pprof = pprof(of_all_samples)
    for key, expected in list(endpoints.items()) + [(None, reasons["no Link"] + reasons["after the end of a request"])]:
        yield from compare(f"pprof, {key or 'no request'}", expected, of_pprof[key])


def bins_of(chart):
    bins = len(chart["series"][0])

    def bin_of(second):
        place = (second - chart["start"]) // chart["width"]
        return place if 0 <= place < bins else None

    return bins, bin_of


def differences_by_time(join, page):
    chart = page["overTime"]
    _, bin_of = bins_of(chart)
    names = [(one["name"], one["service"]) for one in page["endpoints"]]
    for kind, (_, (_, amounts), _) in NAMES.items():
        expected = join.over_time(kind, bin_of)
        of_kind = chart if kind == "cpu" else chart.get(amounts)
        if of_kind is None:
            if expected and amounts in page["received"]:
                yield f"chart: no {kind}"
            continue
        places = of_kind.get("endpoints", range(len(of_kind["series"]) - 2))
        rows = [names[place] for place in places] + [None, ""]
        found = collections.Counter()
        for row, values in zip(rows, of_kind["series"]):
            found.update({(row, place): value for place, value in enumerate(values)})
        shown = collections.Counter()
        for (owner, place), value in expected.items():
            shown[(owner if owner in rows else None, place) if place is not None else "outside"] += value
        found["outside"] = of_kind["outside"]
        for key in set(shown) | set(found):
            if shown[key] != found[key]:
                yield f"chart: {kind} of {key} is {found[key]} in place of {shown[key]}"


def differences_of_slices(join, page):
    bins, bin_of = bins_of(page["overTime"])
    expected = join.slices(bin_of)
    for one in page["endpoints"]:
        slices = one["slices"]
        for (of_summary, keys, _) in NAMES.values():
            for key, name in zip(of_summary, keys):
                found = collections.Counter()
                places = range(bins) if name == "samples" else slices["bin"]  # CPU time has numbers of samples by bin
                for place, value in zip(places, slices.get(name, [])):
                    found[place] += value
                for place in range(bins):
                    sought = expected[one["name"], one["service"]][place][key]
                    if sought != found[place]:
                        yield f"slices of {one['name']}: {name} of bin {place} is {found[place]} in place of {sought}"


def differences_of_sides(before, now, compared):
    for side, join in enumerate((before, now)):
        _, _, endpoints, requests = join.result()
        for one in compared:
            key, slices = (one["name"], one["service"]), one["slices"]
            if slices["requests"][side] != len(requests.get(key, [])):
                yield f"comparison of {key}: {slices['requests'][side]} requests in place of {len(requests.get(key, []))}"
            for (of_summary, names, _) in NAMES.values():
                for summary, name in zip(of_summary, names):
                    places = (0, 1) if name == "samples" else slices["bin"]
                    found = sum(value for place, value in zip(places, slices.get(name, [])) if place == side)
                    if found != endpoints[key][summary]:
                        yield f"comparison of {key}: {name} of side {side} is {found} in place of {endpoints[key][summary]}"


def joined(paths):
    join = Join()
    for message in read(paths):
        if "resourceSpans" in message:
            join.traces(message)
        elif "resourceProfiles" in message:
            join.profile_message(message)
    return join


def main():
    paths = sys.argv[2:]
    now = paths.index("--baseline") if "--baseline" in paths else len(paths)
    join = joined(paths[:now])
    before = joined(paths[now + 1:]) if now < len(paths) else None
    found = list(differences(join, before, sys.argv[1]))
    print("\n".join(found) or f"ok: {len(join.samples)} samples and {len(join.spans)} spans, joined twice with the same sums")
    return 1 if found else 0


sys.exit(main())
