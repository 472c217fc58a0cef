"""How the generated operations send their requests."""

from __future__ import annotations

from typing import Any

from .lists import AsyncList, List

#: This field of an input is not sent: it is the key of a write.
KEY = "idempotency_key"


def _send(client: Any, method: str, path: str, fields: Any) -> Any:
    rest = {name: value for name, value in fields.items() if name != KEY}
    return client.request(method, path, rest, fields.get(KEY))


class Noun:
    def __init__(self, client: Any) -> None:
        self._client = client

    def _call(self, method: str, path: str, fields: Any) -> Any:
        answer = _send(self._client, method, path, fields)
        return answer.get("data", answer) if isinstance(answer, dict) else answer

    def _list(self, path: str, fields: Any) -> List[Any]:
        def fetch(cursor: str | None) -> Any:
            return _send(self._client, "GET", path, {**fields, **({"cursor": cursor} if cursor else {})})

        return List(fetch)


class AsyncNoun:
    def __init__(self, client: Any) -> None:
        self._client = client

    async def _call(self, method: str, path: str, fields: Any) -> Any:
        answer = await _send(self._client, method, path, fields)
        return answer.get("data", answer) if isinstance(answer, dict) else answer

    def _list(self, path: str, fields: Any) -> AsyncList[Any]:
        async def fetch(cursor: str | None) -> Any:
            more = {"cursor": cursor} if cursor else {}
            return await _send(self._client, "GET", path, {**fields, **more})

        return AsyncList(fetch)
