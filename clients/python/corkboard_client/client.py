from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from .generated import AsyncOperations, Operations
from .problem import CorkboardError, problem_of
from .transport import (
    LONGEST_WAIT,
    TEMPORARY,
    EventParser,
    LiveEvent,
    delay_before_retry,
    encode,
    event_headers,
    headers_for,
)

EVENTS = "/api/v1/events"
#: The server sends a ping every 15 seconds.
STREAM_TIMEOUT = httpx.Timeout(10.0, read=45.0)


def _options(url: str, token: str | None, timeout: float) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": timeout}


def _answer(response: httpx.Response) -> Any:
    if response.is_error:
        raise problem_of(response)
    return response.json() if "json" in response.headers.get("content-type", "") else response


def _is_lasting(error: CorkboardError) -> bool:
    return error.status < 500 and error.status != 429


class Client(Operations):
    """Every operation as ``client.noun.verb(field=value)``."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retries: int = 3,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__()
        self.retries = retries
        self._http = http or httpx.Client(**_options(url, token, timeout))

    def request(
        self, method: str, path: str, fields: dict[str, Any], idempotency_key: str | None = None
    ) -> Any:
        arguments = encode(method, path, fields).arguments(headers_for(method, idempotency_key))
        for attempt in range(self.retries + 1):
            is_last = attempt == self.retries
            response = None
            try:
                response = self._http.request(**arguments)
                if is_last or response.status_code not in TEMPORARY:
                    return _answer(response)
            except httpx.TransportError:
                if is_last:
                    raise
            time.sleep(delay_before_retry(attempt, response))
        raise AssertionError("unreachable")

    def live(
        self, *, project_id: int | None = None, last_event_id: str | None = None
    ) -> Iterator[LiveEvent]:
        """Yield changes as they happen. A lost connection resumes after the last change."""
        params = {"project_id": project_id} if project_id else {}
        delay = 1.0
        while True:
            try:
                headers = event_headers(last_event_id)
                with self._http.stream(
                    "GET", EVENTS, params=params, headers=headers, timeout=STREAM_TIMEOUT
                ) as response:
                    if response.is_error:
                        response.read()
                        raise problem_of(response)
                    parser = EventParser()
                    for line in response.iter_lines():
                        for event in parser.feed(line):
                            last_event_id, delay = event.id, 1.0
                            yield event
            except httpx.TransportError:
                pass
            except CorkboardError as error:
                if _is_lasting(error):
                    raise
            time.sleep(delay)
            delay = min(delay * 2, LONGEST_WAIT)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """The same for asyncio: ``await client.noun.verb(field=value)``."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retries: int = 3,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__()
        self.retries = retries
        self._http = http or httpx.AsyncClient(**_options(url, token, timeout))

    async def request(
        self, method: str, path: str, fields: dict[str, Any], idempotency_key: str | None = None
    ) -> Any:
        arguments = encode(method, path, fields).arguments(headers_for(method, idempotency_key))
        for attempt in range(self.retries + 1):
            is_last = attempt == self.retries
            response = None
            try:
                response = await self._http.request(**arguments)
                if is_last or response.status_code not in TEMPORARY:
                    return _answer(response)
            except httpx.TransportError:
                if is_last:
                    raise
            await asyncio.sleep(delay_before_retry(attempt, response))
        raise AssertionError("unreachable")

    async def live(
        self, *, project_id: int | None = None, last_event_id: str | None = None
    ) -> AsyncIterator[LiveEvent]:
        """Yield changes as they happen. A lost connection resumes after the last change."""
        params = {"project_id": project_id} if project_id else {}
        delay = 1.0
        while True:
            try:
                headers = event_headers(last_event_id)
                async with self._http.stream(
                    "GET", EVENTS, params=params, headers=headers, timeout=STREAM_TIMEOUT
                ) as response:
                    if response.is_error:
                        await response.aread()
                        raise problem_of(response)
                    parser = EventParser()
                    async for line in response.aiter_lines():
                        for event in parser.feed(line):
                            last_event_id, delay = event.id, 1.0
                            yield event
            except httpx.TransportError:
                pass
            except CorkboardError as error:
                if _is_lasting(error):
                    raise
            await asyncio.sleep(delay)
            delay = min(delay * 2, LONGEST_WAIT)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
