# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# otlp_receiver.py DIRECTORY [ANSWER]...: receives exports of profiles until it is terminated.
# Writes its port to DIRECTORY/port, the headers of each request to DIRECTORY/N.head, and the body
# of each accepted request to DIRECTORY/N.body. The Nth ANSWER is for the Nth request, and the last
# one for all further requests: a status, "silent", "reject" to reject the profile, or "chunked".
import pathlib
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIRECTORY = pathlib.Path(sys.argv[1])
ANSWERS = sys.argv[2:] or ["200"]
REJECTED = b"\x0a\x0c\x08\x01\x12\x08no space"


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0
    lock = threading.Lock()

    def do_POST(self):
        with Receiver.lock:
            number = Receiver.requests
            Receiver.requests += 1
        answer = ANSWERS[min(number, len(ANSWERS) - 1)]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"{self.requestline}\n{self.headers}"
        DIRECTORY.joinpath(f"{number}.head").write_text(head)
        if answer == "silent":
            threading.Event().wait()
        if answer in ("200", "chunked"):
            DIRECTORY.joinpath(f"{number}.body").write_bytes(body)
        self.answer(answer)

    def answer(self, answer):
        content = REJECTED if answer == "reject" else b""
        self.send_response(int(answer) if answer.isdigit() else 200)
        self.send_header("Content-Type", "application/x-protobuf")
        if answer == "chunked":
            self.send_header("Transfer-Encoding", "chunked")
            content = b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
part = DIRECTORY / "port.part"
part.write_text(str(server.server_address[1]))
part.rename(DIRECTORY / "port")
server.serve_forever()
