"""Uses the Python client like a program does: once with each client."""

import asyncio
import json
import sys
import threading
import uuid

import httpx
from corkboard_client import AsyncClient, Client, CorkboardError, WebhookError, verify_webhook

options = json.loads(sys.argv[1])
URL, TOKEN = options["url"], options["token"]


def refused(error: CorkboardError) -> list[object]:
    return [error.status, error.details.get("field")]


def forged() -> bool:
    webhook = options["webhook"]
    try:
        verify_webhook(webhook["secret"], webhook["headers"], webhook["body"] + " ")
    except WebhookError:
        return True
    return False


class LosesFirstAnswer(httpx.BaseTransport):
    def __init__(self) -> None:
        self.keys: list[str] = []
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers["idempotency-key"])
        response = self.inner.handle_request(request)
        return httpx.Response(503) if len(self.keys) == 1 else response


def retried(team_id: int) -> list[int]:
    transport = LosesFirstAnswer()
    headers = {"Authorization": f"Bearer {TOKEN}"}
    http = httpx.Client(base_url=URL, headers=headers, transport=transport)
    with Client(URL, http=http) as client:
        client.teams.rename(team_id=team_id, name="Harbour")
    return [len(transport.keys), len(set(transport.keys))]


def walk() -> dict[str, object]:
    with Client(URL, TOKEN) as client:
        team_id = client.user_context.get()["teams"][0]["team_id"]
        board = client.projects.create(
            team_id=team_id,
            title="Harbour",
            sections=[{"title": "Next"}],
            labels=[{"name": "urgent"}],
        )
        project_id = board["project_id"]
        types: list[str] = []

        def watch() -> None:
            types.append(next(iter(client.live(project_id=project_id, last_event_id="1"))).type)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        tasks = [{"title": f"Crate {number}"} for number in range(60)]
        client.tasks.create_many(project_id=project_id, tasks=tasks)
        watcher.join(20)
        pages = [len(page.items) for page in client.tasks.list(project_id=project_id, limit=50).pages()]
        rows = list(client.tasks.list(project_id=project_id, fields=["title"]))
        key = str(uuid.uuid4())
        first, again = (
            client.tasks.create(
                project_id=project_id, title="Check", labels=["urgent"], idempotency_key=key
            )
            for _ in range(2)
        )
        task = first["ticket_number"]
        client.attachments.upload(task=task, file=("cargo.txt", b"cargo list", "text/plain"))
        attachment = client.tasks.context(task=task)["attachments"][0]
        file = client.attachments.download(attachment_id=attachment["attachment_id"])
        try:
            client.tasks.create(project_id=project_id, title="")
        except CorkboardError as error:
            refusal = refused(error)
        return {
            "type": types[0],
            "pages": pages,
            "rows": len(rows),
            "title": client.tasks.get(task=task)["title"],
            "text": file.text,
            "repeated": first["task_id"] == again["task_id"],
            "refused": refusal,
            "retried": retried(team_id),
        }


async def async_walk() -> dict[str, object]:
    async with AsyncClient(URL, TOKEN) as client:
        team_id = (await client.user_context.get())["teams"][0]["team_id"]
        board = await client.projects.create(
            team_id=team_id, title="Harbour", sections=[{"title": "Next"}]
        )
        project_id = board["project_id"]

        async def watch() -> str:
            async for event in client.live(project_id=project_id, last_event_id="1"):
                return event.type
            return ""

        watcher = asyncio.create_task(watch())
        tasks = [{"title": f"Crate {number}"} for number in range(60)]
        await client.tasks.create_many(project_id=project_id, tasks=tasks)
        listed = client.tasks.list(project_id=project_id, limit=50)
        return {
            "type": await asyncio.wait_for(watcher, 20),
            "pages": [len(page.items) async for page in listed.pages()],
            "rows": len([row async for row in listed]),
            "first": len((await listed).items),
        }


webhook = options["webhook"]
event = verify_webhook(webhook["secret"], webhook["headers"], webhook["body"])
print(
    json.dumps(
        {
            "sync": walk(),
            "async": asyncio.run(async_walk()),
            "webhook": event["type"],
            "forged": forged(),
        }
    )
)
