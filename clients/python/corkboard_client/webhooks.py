from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE_SECONDS = 300


class WebhookError(ValueError):
    """The request does not come from the server."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: str | bytes) -> dict[str, Any]:
    """Return the event in a request of a webhook if its signature is valid.

    ``body`` is the text as received: parsing and writing it again changes it.
    """
    names = {name.lower(): value for name, value in headers.items()}
    text = body.encode() if isinstance(body, str) else body
    try:
        message_id, timestamp = names["webhook-id"], names["webhook-timestamp"]
        signatures = names["webhook-signature"].split()
        age = abs(time.time() - float(timestamp))
        key = base64.b64decode(secret.removeprefix("whsec_"))
    except (KeyError, ValueError, binascii.Error) as error:
        raise WebhookError("The headers or the secret of the webhook are not valid") from error
    if not age <= TOLERANCE_SECONDS:
        raise WebhookError("The timestamp of the webhook is too old or new")
    signed = f"{message_id}.{timestamp}.".encode() + text
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # compare_digest accepts only ASCII as text.
    if not any(hmac.compare_digest(one.encode(), f"v1,{expected}".encode()) for one in signatures):
        raise WebhookError("The signature of the webhook is not valid")
    event: dict[str, Any] = json.loads(text)
    return event
