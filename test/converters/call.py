"""Calls tools with the official SDK, and prints the text of each result."""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client


async def main():
    request = json.load(sys.stdin)
    headers = {"Authorization": f"Bearer {request['token']}"}
    http = create_mcp_http_client(headers=headers)
    transport = streamable_http_client(request["url"], http_client=http)
    texts = []
    async with http, Client(transport) as client:
        await client.list_tools()
        for call in request["calls"]:
            result = await client.call_tool(call["name"], call["arguments"])
            texts.append([part.text for part in result.content if part.type == "text"])
    print(json.dumps(texts))


asyncio.run(main())
