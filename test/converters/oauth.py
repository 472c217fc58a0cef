"""Connects with the official SDK by an address alone.

Prints "open <address>" and reads where the browser was sent. Then calls a tool at each line.
"""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

REDIRECT = "http://127.0.0.1:5000/callback"


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def read_line():
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def open_browser(address):
    print("open", address, flush=True)


async def answer():
    fields = parse_qs(urlsplit(await read_line()).query)
    names = ("code", "state", "iss")
    return AuthorizationCodeResult(**{name: fields[name][0] for name in names})


async def main():
    url = sys.argv[1]
    metadata = OAuthClientMetadata(client_name="Lantern", redirect_uris=[REDIRECT])
    provider = OAuthClientProvider(url, metadata, Storage(), open_browser, answer)
    http = create_mcp_http_client(auth=provider)
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        while True:
            await client.call_tool("svc_user_context", {"action": "hello"})
            print("answered", flush=True)
            if not await read_line():
                return
            # The next call renews the token.
            provider.context.token_expiry_time = 1


asyncio.run(main())
