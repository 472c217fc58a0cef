"""What both clients share: requests, retries and the stream of changes."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

#: Statuses after which the same request may succeed.
TEMPORARY = {429, 502, 503, 504}
LONGEST_WAIT = 30.0


@dataclass(frozen=True)
class LiveEvent:
    """A change that the caller may see."""

    #: The position in the change log; pass it as ``last_event_id`` to resume after it.
    id: str
    #: Such as ``task.created``.
    type: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    params: list[tuple[str, str]]
    body: Any
    files: list[Any]

    def arguments(self, headers: Mapping[str, str]) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "method": self.method,
            "url": self.path,
            "params": self.params,
            "headers": dict(headers),
        }
        if self.files:
            return {**arguments, "files": [("file", file) for file in self.files], "data": self.body}
        if self.body is not None:
            arguments["json"] = self.body
        return arguments


def encode(method: str, path: str, fields: Mapping[str, Any]) -> Request:
    """Put each field of an input where the route expects it."""
    rest = dict(fields)

    def value_of(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        if value is None or value == "":
            raise TypeError(f"{match[1]} is required")
        return quote(str(value), safe="")

    address = re.sub(r"\{(\w+)\}", value_of, path)
    if method in ("GET", "DELETE"):
        pairs = [
            (name, text_of(one))
            for name, value in rest.items()
            for one in (value if isinstance(value, list) else [value])
        ]
        return Request(method, address, pairs, None, [])
    files = rest.pop("file", [])
    files = files if isinstance(files, list) else [files]
    return Request(method, address, [], rest, files)


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def headers_for(method: str, idempotency_key: str | None) -> dict[str, str]:
    """Use the same key on every attempt, so that a write happens once."""
    return {} if method == "GET" else {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}


def delay_before_retry(attempt: int, response: httpx.Response | None) -> float:
    after = response.headers.get("retry-after", "") if response else ""
    if after.isdecimal():
        return min(float(after), LONGEST_WAIT)
    # Half of it is random, so that clients do not return together.
    return min(0.25 * 2**attempt, LONGEST_WAIT) * (0.5 + random.random() / 2)


def event_headers(last_event_id: str | None) -> dict[str, str]:
    headers = {"Accept": "text/event-stream"}
    return {**headers, "Last-Event-ID": last_event_id} if last_event_id else headers


class EventParser:
    """Collects the lines of a stream of server-sent events."""

    def __init__(self) -> None:
        self._fields: dict[str, list[str]] = {}

    def feed(self, line: str) -> Iterator[LiveEvent]:
        if line:
            name, _, value = line.partition(":")
            self._fields.setdefault(name, []).append(value.removeprefix(" "))
            return
        fields, self._fields = self._fields, {}
        if "data" in fields:
            data = json.loads("\n".join(fields["data"]))
            yield LiveEvent(fields.get("id", [""])[0], fields.get("event", ["message"])[0], data)
