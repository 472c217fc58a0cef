"""Checked by mypy against the built package."""

from corkboard_client import AsyncClient, Client
from corkboard_client.generated import Task

client = Client("http://127.0.0.1:3210", "secret")


def titles(project_id: int) -> list[str]:
    return [row.get("title", "") for row in client.tasks.list(project_id=project_id)]


def look() -> Task:
    return client.tasks.get(task="HOM-1", format="markdown")


async def count(other: AsyncClient) -> int:
    page = await other.tasks.list(labels=["urgent"])
    return len(page.items)


def wrong() -> None:
    client.tasks.get(task="HOM-1", format="pdf")  # type: ignore[arg-type]
    client.tasks.get()  # type: ignore[call-arg]
    client.tasks.explode()  # type: ignore[attr-defined]
