from __future__ import annotations

from typing import Any

import httpx


class CorkboardError(Exception):
    """Why the server refused a request."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(body.get("message") or f"The server answered with status {status}")
        self.status = status
        #: A short class, as in "Validation error".
        self.error: str = body.get("error", "Error")
        #: Names the field and says why it was rejected.
        self.details: dict[str, Any] = body.get("details", {})
        #: What to do next.
        self.hint: str | None = body.get("hint")
        #: For the operator, who finds the request in the log by it.
        self.request_id: str | None = body.get("request_id")


def problem_of(response: httpx.Response) -> CorkboardError:
    try:
        body = response.json()
    except ValueError:
        body = {}
    return CorkboardError(response.status_code, body if isinstance(body, dict) else {})
