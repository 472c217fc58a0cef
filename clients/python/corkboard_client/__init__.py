"""Client for the Corkboard API, sync and async."""

from .client import AsyncClient, Client
from .problem import CorkboardError
from .transport import LiveEvent
from .webhooks import WebhookError, verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "CorkboardError",
    "LiveEvent",
    "WebhookError",
    "verify_webhook",
]
