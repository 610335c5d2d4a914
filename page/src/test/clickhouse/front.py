#!/usr/bin/env python3
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# front.py DIRECTORY: an HTTP interface like that of a ClickHouse server for the real engine in this process
# (chdb), whose data are in the directory. Test equipment: the collector's exporter writes to it, and the join
# reads from it. Prints its port, and ends at the end of its standard input.
#
# The engine parses, executes and formats everything. The front only adds what a server adds: HTTP, user and
# password (FRONT_USER and FRONT_PASSWORD), and the framing of the native format that clickhouse-go requests.
# It does not support ClickHouse's compression: use clients without it. The settings after a
# semicolon in the name of the user are those that a server would give to this user.
import base64
import email
import http.server
import json
import os
import re
import struct
import sys
import threading
import urllib.parse

from chdb import session

DIRECTORY = sys.argv[1]
USER = os.environ.get("FRONT_USER", "default")
PASSWORD = os.environ.get("FRONT_PASSWORD", "")
# Parameters of the interface. All others are settings of the engine.
OWN = ("query", "database", "default_format", "query_id", "client_protocol_version", "role", "session_id")
LONGEST_FIELD = 131072  # http_max_field_value_size of a server
STATUS = {60: 404, 81: 404, 47: 404, 159: 408, 516: 403}
INSERT = re.compile(r"\s*INSERT\s+INTO\s", re.IGNORECASE)
FORMAT = re.compile(r"\sFORMAT\s+(\w+)\s*;?\s*$", re.IGNORECASE)
VALUES = re.compile(r"\s+VALUES\s*\([?,\s]*\)\s*$", re.IGNORECASE)
# The native format with a revision has a few bytes that the engine does not write.
BLOCK_INFO = b"\x01\x00\x02\xff\xff\xff\xff\x00"


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def text(value):
    encoded = value.encode()
    return varint(len(encoded)) + encoded


def native(result):
    """A block of strings and 32-bit numbers. clickhouse-go does not request other types."""
    rows = result["data"]
    out = BLOCK_INFO + varint(len(result["meta"])) + varint(len(rows))
    for number, column in enumerate(result["meta"]):
        out += text(column["name"]) + text(column["type"]) + b"\0"
        for row in rows:
            out += struct.pack("<I", row[number]) if column["type"] == "UInt32" else text(row[number])
    return out


def quoted(value):
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.body()
        try:
            form, answer = self.answer(body)
            self.reply(200, answer, {"X-ClickHouse-Format": form})
        except Exception as e:
            message = str(e)
            code = int((re.search(r"Code: (\d+)", message) or [0, 1002])[1])
            self.reply(STATUS.get(code, 500), message.encode(), {"X-ClickHouse-Exception-Code": str(code)})

    do_GET = do_POST

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def answer(self, body):
        parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query, keep_blank_values=True))
        content = self.headers.get("Content-Type", "")
        if content.startswith("multipart/form-data"):
            form = email.message_from_bytes(b"Content-Type: " + content.encode() + b"\r\n\r\n" + body)
            for part in form.get_payload():
                name = part.get_param("name", header="Content-Disposition")
                parameters[name] = part.get_payload(decode=True).decode()
                if len(parameters[name]) > LONGEST_FIELD:
                    raise ValueError("Code: 1000. DB::Exception: Field value too long. (POCO_EXCEPTION)")
        profile = self.authenticate()
        if self.path.startswith("/ping"):
            return "TabSeparated", b"Ok.\n"
        values = {name[6:]: value for name, value in parameters.items() if name.startswith("param_")}
        settings = {n: v for n, v in parameters.items() if not n.startswith("param_") and n not in OWN}
        query, data = parameters.get("query"), body
        if query is None:
            query, data = body.decode(), b""
        database = parameters.get("database") or self.headers.get("X-ClickHouse-Database") or "default"
        with session.Session(DIRECTORY) as engine:
            engine.query("USE `" + database.replace("`", "``") + "`")
            for setting in profile:
                engine.query("SET " + setting)
            for name, value in settings.items():
                engine.query(f"SET {name} = {quoted(value)}")
            return self.execute(engine, query, data, values, parameters)

    def execute(self, engine, query, data, values, parameters):
        form = FORMAT.search(query)
        if INSERT.match(query) and (data or VALUES.search(query)):
            target = FORMAT.sub("", VALUES.sub("", query))
            with engine.send_insert(target, form[1] if form else "Native") as insert:
                insert.append(data)
                insert.finish()
            return "Native", b""
        name = form[1] if form else parameters.get("default_format", self.headers.get("X-ClickHouse-Format", "TabSeparated"))
        query = FORMAT.sub("", query)
        if name == "Native" and int(parameters.get("client_protocol_version", 0)) > 0:
            query = query.replace("revision()", "toUInt32(54465)")
            result = engine.query(query, "JSONCompact").bytes()
            return name, native(json.loads(result)) if result else b""
        return name, engine.query(query, name, params=values or None).bytes() or b""

    def authenticate(self):
        user, password = self.headers.get("X-ClickHouse-User"), self.headers.get("X-ClickHouse-Key", "")
        basic = self.headers.get("Authorization", "")
        if user is None and basic.startswith("Basic "):
            user, _, password = base64.b64decode(basic[6:]).decode().partition(":")
        name, _, profile = (user or "default").partition(";")
        if (name, password) != (USER, PASSWORD):
            raise PermissionError(
                f"Code: 516. DB::Exception: {user}: Authentication failed: password is incorrect, or there is "
                "no user with such name. (AUTHENTICATION_FAILED)"
            )
        return [setting for setting in profile.split(",") if setting]

    def reply(self, status, body, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("X-ClickHouse-Timezone", "UTC")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *arguments):
        pass


class Front(http.server.ThreadingHTTPServer):
    daemon_threads = True


kept = session.Session(DIRECTORY)  # so that the engine also works between requests, as a server does
front = Front(("127.0.0.1", 0), Handler)
threading.Thread(target=front.serve_forever, daemon=True).start()
print(front.server_address[1], flush=True)
sys.stdin.read()
front.shutdown()
kept.close()
