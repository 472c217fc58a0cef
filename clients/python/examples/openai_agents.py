"""Tools of a board for the OpenAI Agents SDK.

    CORK_URL=https://board.example.com CORK_TOKEN=… OPENAI_API_KEY=… python openai_agents.py 1
"""

from __future__ import annotations

import asyncio
import os
import sys

from agents import Agent, Runner, Tool, function_tool
from corkboard_client import AsyncClient


def board_tools(client: AsyncClient, project_id: int) -> list[Tool]:
    @function_tool
    async def list_tasks() -> list[str]:
        """The open tasks of the board, with their keys."""
        page = await client.tasks.list(project_id=project_id, limit=20)
        return [f"{row['ticket_number']} {row['title']}" for row in page.items if not row["done"]]

    @function_tool
    async def read_task(task: str) -> str:
        """The description of a task, as markdown.

        Args:
            task: Its key, as in HOM-12.
        """
        return (await client.tasks.get(task=task, format="markdown"))["description"] or ""

    @function_tool
    async def comment(task: str, text: str) -> str:
        """Write a comment on a task.

        Args:
            task: Its key, as in HOM-12.
            text: Markdown.
        """
        await client.comments.add(task=task, text=text, content_type="markdown")
        return "Done"

    return [list_tasks, read_task, comment]


async def main(project_id: int) -> None:
    async with AsyncClient(os.environ["CORK_URL"], os.environ["CORK_TOKEN"]) as client:
        agent = Agent(
            name="Triage",
            instructions="Find the most urgent open task, and comment on it what to do first.",
            tools=board_tools(client, project_id),
        )
        print((await Runner.run(agent, "Begin")).final_output)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
