"""Runs the examples of the Python client without a model."""

import asyncio
import json
import sys

from agents.tool_context import ToolContext
from corkboard_client import AsyncClient, Client
from langgraph_agent import build
from openai_agents import board_tools

url, token, project_id, task = sys.argv[1:]


def use_langgraph() -> str:
    with Client(url, token) as client:
        graph = build(client, int(project_id), lambda found: f"Looked at {found['title']}")
        return graph.invoke({})["result"]


async def use_openai() -> object:
    async with AsyncClient(url, token) as client:
        tools = {tool.name: tool for tool in board_tools(client, int(project_id))}

        async def call(name: str, **arguments: str) -> object:
            text = json.dumps(arguments)
            context = ToolContext(
                context=None, tool_name=name, tool_call_id="1", tool_arguments=text
            )
            return await tools[name].on_invoke_tool(context, text)

        listed = await call("list_tasks")
        await call("comment", task=task, text="Oil the *hinge* first")
        return listed


print(json.dumps({"langgraph": use_langgraph(), "openai": asyncio.run(use_openai())}))
