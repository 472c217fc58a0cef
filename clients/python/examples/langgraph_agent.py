"""A graph of LangGraph that takes the next task of a board, works on it and finishes it.

    CORK_URL=https://board.example.com CORK_TOKEN=… python langgraph_agent.py 1

The token is that of an agent. Replace ``work`` with the call of your model.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypedDict

from corkboard_client import Client
from langgraph.graph import END, START, StateGraph


class State(TypedDict, total=False):
    task: dict[str, Any] | None
    result: str


def build(client: Client, project_id: int, work: Callable[[dict[str, Any]], str]) -> Any:
    def take(_: State) -> State:
        """Claim the task, so that no other agent works on it."""
        rows = client.tasks.next(project_id=project_id, limit=1).first().items
        if not rows:
            return {"task": None}
        key = rows[0]["ticket_number"]
        lease = client.leases.claim(ticket_number=key)
        task = client.tasks.get(task=key, format="markdown")
        return {"task": {**task, "lease_id": lease["lease_id"]}}

    def think(state: State) -> State:
        return {"result": work(state["task"] or {})}

    def finish(state: State) -> State:
        task = state["task"] or {}
        key, lease_id = task["ticket_number"], task["lease_id"]
        client.comments.add(
            task=key, text=state["result"], content_type="markdown"
        )
        sections = client.sections.list(project_id=project_id)
        done = next(one["section_id"] for one in sections if one["done"])
        client.tasks.update(task=key, section_id=done, lease_id=lease_id)
        client.leases.release(lease_id=lease_id)
        return {}

    graph = StateGraph(State)
    graph.add_node("take", take)
    graph.add_node("think", think)
    graph.add_node("finish", finish)
    graph.add_edge(START, "take")
    graph.add_conditional_edges("take", lambda state: "think" if state["task"] else END)
    graph.add_edge("think", "finish")
    graph.add_edge("finish", END)
    return graph.compile()


if __name__ == "__main__":
    with Client(os.environ["CORK_URL"], os.environ["CORK_TOKEN"]) as board:
        agent = build(board, int(sys.argv[1]), lambda task: f"Looked at {task['title']}")
        print(agent.invoke({}).get("result", "No open task"))
