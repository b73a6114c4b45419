"""The registry's API: requests that are tried again, with a key that is shown to nobody else."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import requests
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse
from urllib3.util import Retry

from sluis import secret
from sluis.config import Registry
from sluis.errors import EnvironmentFailure

log = logging.getLogger("sluis")

TIMEOUT = (10, 60)
"""Seconds to connect, and to wait for an answer."""

LONGEST_WAIT = 60.0
"""Seconds that a registry may have us wait (`Retry-After`) before the next attempt."""


class Refused(EnvironmentFailure):
    """The registry understood the request and did not want what was in it; the next one may fare better."""


class _Patient(Retry):
    """Waits as long as the server asks, within reason. A lost connection is tried again even after a POST: what is
    sent has an id of its own."""

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        wanted = super().get_retry_after(response)
        return None if wanted is None else min(wanted, LONGEST_WAIT)


_RETRIES = _Patient(
    total=5,
    backoff_factor=0.5,
    status_forcelist=(429, 500, 502, 503, 504),
    allowed_methods=None,
    raise_on_status=False,
)


class Client:
    """A registry with the API of Entropy Data (once Data Mesh Manager).

    Raises:
        EnvironmentFailure: its key cannot be read, or is none.
    """

    def __init__(self, registry: Registry) -> None:
        self._url = registry.url.rstrip("/")
        self._reference = registry.key
        self._key = secret.revealed(registry.key)
        if not (self._key.isascii() and self._key.isprintable() and " " not in self._key):
            raise EnvironmentFailure(f"What {registry.key} holds is no API key: a key is one word.")
        self._session = requests.Session()
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, HTTPAdapter(max_retries=_RETRIES))

    def put_contract(self, contract_id: str, document: Mapping[str, Any]) -> str | None:
        """Create or replace a contract.

        Returns:
            Where people can look at it, if the registry says.

        Raises:
            Refused: the registry does not want it.
            EnvironmentFailure: the registry cannot be reached, or the key is not good.
        """
        return self._send("PUT", f"/api/datacontracts/{quote(contract_id, safe='')}", document)

    def post_results(self, results: Mapping[str, Any]) -> str | None:
        """Add the results of a run; returns and raises as `put_contract`."""
        return self._send("POST", "/api/test-results", results)

    def _send(self, method: str, path: str, body: Mapping[str, Any]) -> str | None:
        headers = {"x-api-key": self._key, "content-type": "application/json"}
        content = json.dumps(body, default=_plain)
        try:
            # A redirect would take the key to a place that nobody named.
            answer = self._session.request(
                method, self._url + path, data=content, headers=headers, timeout=TIMEOUT, allow_redirects=False
            )
        except requests.RequestException as error:
            raise EnvironmentFailure(
                f"The registry {self._url} cannot be reached: {self._hidden(str(error))}",
                hint="is the address in contracts/environments.json right, and is there a way to it from here?",
            ) from None
        if answer.ok and not answer.is_redirect:
            return answer.headers.get("location-html")
        raise self._failure(f"{method} {self._url}{path}", answer)

    def _failure(self, request: str, answer: requests.Response) -> EnvironmentFailure:
        told = " ".join(self._hidden(answer.text[:2000]).split())[:300]
        message = f"{request} was answered {answer.status_code} {answer.reason}: {told}".rstrip(": ")
        if answer.status_code in (401, 403):
            return EnvironmentFailure(message, hint=f"is the key in {self._reference} the right one, and still valid?")
        if answer.is_redirect or answer.status_code == 429 or answer.status_code >= 500:
            return EnvironmentFailure(message)
        return Refused(message)

    def _hidden(self, text: str) -> str:
        return text.replace(self._key, "[key]")


def _plain(value: object) -> float:
    """A number of a contract as JSON's; nothing else is in one that JSON has not."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(f"{type(value).__name__} has no place in JSON")
