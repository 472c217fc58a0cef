from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of a list."""

    items: list[Row]
    #: Totals and ``next_cursor``.
    page: dict[str, Any]


class List(Generic[Row]):
    """A list that was asked for. Iterating fetches all pages; ``first()`` only the first."""

    def __init__(self, fetch: Callable[[str | None], Any]) -> None:
        self._fetch = fetch

    def first(self, cursor: str | None = None) -> Page[Row]:
        answer = self._fetch(cursor)
        return Page(answer["data"], answer["page"])

    def pages(self) -> Iterator[Page[Row]]:
        page = self.first()
        yield page
        while cursor := page.page["next_cursor"]:
            page = self.first(cursor)
            yield page

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page.items


class AsyncList(Generic[Row]):
    """The same for asyncio: ``async for`` all rows, or ``await`` the first page."""

    def __init__(self, fetch: Callable[[str | None], Coroutine[Any, Any, Any]]) -> None:
        self._fetch = fetch

    async def first(self, cursor: str | None = None) -> Page[Row]:
        answer = await self._fetch(cursor)
        return Page(answer["data"], answer["page"])

    def __await__(self) -> Generator[Any, None, Page[Row]]:
        return self.first().__await__()

    async def pages(self) -> AsyncIterator[Page[Row]]:
        page = await self.first()
        yield page
        while cursor := page.page["next_cursor"]:
            page = await self.first(cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page.items:
                yield row
