"""A small server that speaks the part of ClickHouse's HTTP interface that @clickhouse/client uses, over the engine itself in this
process (chdb). `server.py FOLDER PORT` keeps its data in FOLDER and prints its URL once it serves; port 0 picks one.

A request has a connection of its own, as a connection of chdb runs one query at a time. What the engine in process cannot do it
cannot do here: replicas, Keeper, clusters, users. So each user name is taken, and its password not looked at.
"""
import gzip
import json
import os
import re
import sys
import tempfile
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb import _chdb

FOLDER = os.path.abspath(sys.argv[1])
# Of these the rest of the URL's parameters are not settings.
RESERVED = {"query", "query_id", "database", "default_format", "user", "password", "session_id", "session_timeout",
            "session_check", "role", "compress", "decompress", "wait_end_of_query", "buffer_size", "quota_key"}
INSERT = re.compile(r"^(\s*insert\s+into\s.*?)\bformat\s+(\w+)\s*;?\s*$", re.IGNORECASE | re.DOTALL)
FORMAT = re.compile(r"\bformat\s+(\w+)\s*;?\s*$", re.IGNORECASE)
# The engine in process gives queries ids of its own, so the client's stands in a setting that system.processes shows.
KILL = re.compile(r"^\s*kill\s+query\s", re.IGNORECASE)
SHOWN_ID = "Settings['log_comment']"
STATUS = {60: 404, 81: 404, 115: 400, 159: 408, 164: 500, 193: 401, 194: 401, 202: 503, 394: 500, 516: 403, 497: 403}
CLIENT_ERRORS = {6, 27, 36, 38, 41, 42, 43, 46, 47, 53, 62, 72, 117, 130, 131, 386, 457}

connect = lambda: _chdb.connect(FOLDER)
# Keeps the engine open while no request is under way.
kept = connect()
sessions = {}
sessions_lock = threading.Lock()


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Failure(Exception):
    def __init__(self, message):
        found = re.search(r"Code: (\d+)\. (?:DB::)?", message)
        self.code = int(found.group(1)) if found else 1000
        super().__init__(message)

    @property
    def status(self):
        return STATUS.get(self.code, 400 if self.code in CLIENT_ERRORS else 500)


def execute(connection, sql, output_format="TabSeparated", params=None):
    try:
        result = connection.query(sql, output_format, params=params or {})
    except RuntimeError as error:
        raise Failure(str(error)) from None
    if result.has_error():
        raise Failure(result.error_message())
    return result


class Session:
    def __init__(self):
        self.connection = connect()
        self.lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, *_):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            while self.rfile.readline() not in (b"\r\n", b""):
                pass
            data = b"".join(parts)
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        return gzip.decompress(data) if self.headers.get("Content-Encoding") == "gzip" else data

    def do_GET(self):
        if urlsplit(self.path).path == "/ping":
            return self.answer(200, b"Ok.\n", {})
        self.answer_query(b"", readonly=True)

    def do_POST(self):
        self.answer_query(self.body(), readonly=False)

    def answer_query(self, body, readonly):
        given = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        query_id = given.get("query_id") or str(uuid.uuid4())
        headers = {"X-ClickHouse-Query-Id": query_id, "X-ClickHouse-Server-Display-Name": "chdb"}
        began = time.monotonic_ns()
        try:
            output_format, data, summary = self.run(given, query_id, body, readonly)
            headers["X-ClickHouse-Format"] = output_format
            summary["elapsed_ns"] = str(time.monotonic_ns() - began)
            headers["X-ClickHouse-Summary"] = json.dumps(summary)
            self.answer(200, data, headers, zipped=given.get("enable_http_compression") == "1")
        except Failure as failure:
            headers["X-ClickHouse-Exception-Code"] = str(failure.code)
            self.answer(failure.status, (str(failure) + "\n").encode(), headers)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def run(self, given, query_id, body, readonly):
        session_id = given.get("session_id")
        if session_id is None:
            connection = connect()
            try:
                return self.run_on(connection, given, query_id, body, readonly)
            finally:
                connection.close()
        with sessions_lock:
            session = sessions.setdefault(session_id, Session())
        with session.lock:
            return self.run_on(session.connection, given, query_id, body, readonly)

    def run_on(self, connection, given, query_id, body, readonly):
        settings = {name: value for name, value in given.items()
                    if name not in RESERVED and not name.startswith("param_")}
        params = {name[len("param_"):]: value for name, value in given.items() if name.startswith("param_")}
        if database := given.get("database") or self.headers.get("X-ClickHouse-Database"):
            execute(connection, "USE `" + database.replace("`", "``") + "`")
        settings.pop("enable_http_compression", None)
        last = settings.pop("readonly", "2" if readonly else None)
        settings.setdefault("log_comment", query_id)
        for name, value in [*settings.items(), *([("readonly", last)] if last else [])]:
            if not re.fullmatch(r"\w+", name):
                raise Failure(f"Code: 115. DB::Exception: Unknown setting '{name}'. (UNKNOWN_SETTING)")
            execute(connection, f"SET {name} = {quoted(value)}")
        sql = given.get("query", "")
        if sql == "":
            sql, body = body.decode(), b""
        elif body and not INSERT.match(sql):
            sql, body = sql + "\n" + body.decode(), b""
        if KILL.match(sql):
            sql = re.sub(r"\bquery_id\b", SHOWN_ID, sql)
        if body:
            return self.insert(connection, sql, body, params)
        named = FORMAT.search(sql)
        output_format = named.group(1) if named else given.get("default_format", "TabSeparated")
        result = execute(connection, sql, output_format, params)
        summary = {"read_rows": str(result.storage_rows_read()), "read_bytes": str(result.storage_bytes_read()),
                   "written_rows": "0", "written_bytes": "0", "result_rows": str(result.rows_read())}
        return output_format, bytes(result.bytes()), summary

    def insert(self, connection, sql, body, params):
        """Through a file: the engine takes the first bytes of binary data in a statement for blanks of the statement."""
        head, input_format = INSERT.match(sql).groups()
        with tempfile.NamedTemporaryFile(dir=FOLDER, prefix="insert-", suffix=".data") as file:
            file.write(body)
            file.flush()
            if found := re.match(r"^(.*?)\bselect\b(.*)\bfrom\s+input\((.*?'(?:[^'\\]|\\.|'')*')\)(.*)$", head, re.I | re.S):
                into, columns, structure, rest = found.groups()
                sql = f"{into} SELECT {columns} FROM file({quoted(file.name)}, {input_format}, {structure}) {rest}"
            else:
                sql = f"{head} FROM INFILE {quoted(file.name)} COMPRESSION 'none' FORMAT {input_format}"
            result = execute(connection, sql, params=params)
        summary = {"read_rows": "0", "read_bytes": str(len(body)), "written_rows": str(result.rows_written()),
                   "written_bytes": str(result.bytes_written()), "result_rows": "0"}
        return "TabSeparated", b"", summary

    def answer(self, status, data, headers, zipped=False):
        if zipped and "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, 1)
            headers = {**headers, "Content-Encoding": "gzip"}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/plain; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # A client that is ended leaves its connections as they are.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def follow_parent():
    """Ends with the process that started it, however that ended."""
    sys.stdin.read()
    os._exit(0)


server = Server(("127.0.0.1", int(sys.argv[2])), Handler)
threading.Thread(target=follow_parent, daemon=True).start()
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
