"""Asks Bearing over NATS who the holder of an organization token is.

The token comes from standard input, never from an argument, which everybody on the machine can read.

    NATS_URL=nats://localhost:4222 NATS_USER=billing NATS_NKEY_FILE=billing.nk \
        python3 ask_identity.py < token.txt

Exit codes: 0 valid, 1 refused, 3 cannot be verified right now. Needs nats-py with nkeys: pip install "nats-py[nkeys]"
"""

import asyncio
import json
import os
import sys

import nats
import nats.errors

VALID, REFUSED, CANNOT_VERIFY = 0, 1, 3
ERROR_CODE = "Nats-Service-Error-Code"


class CannotVerify(Exception):
    """Nobody knows whether the credential is valid. Return 503 to your caller, never 401."""


async def introspect(connection, credential):
    """Returns what identity says about a credential. Raises CannotVerify if it does not say anything."""
    question = json.dumps(credential).encode()
    try:
        reply = await connection.request("identity.v1.credential.introspect", question, timeout=3)
    except nats.errors.Error as error:  # no service, no connection, or no reply in time
        raise CannotVerify(str(error) or type(error).__name__) from error
    answer = json.loads(reply.data)
    if ERROR_CODE in (reply.headers or {}):
        raise CannotVerify(answer.get("code", "unknown error"))
    return answer


async def ask(credential):
    """Connects, asks once, and disconnects. A service keeps its connection, and lets it reconnect."""
    user = os.environ["NATS_USER"]
    try:
        connection = await nats.connect(
            os.environ["NATS_URL"],
            name=user,
            nkeys_seed=os.environ["NATS_NKEY_FILE"],
            # Nobody but this user may listen here, and nobody but identity may reply here.
            inbox_prefix=f"_INBOX.{user}.identity",
            allow_reconnect=False,
        )
    except (OSError, nats.errors.Error) as error:
        raise CannotVerify(str(error)) from error
    try:
        return await introspect(connection, credential)
    finally:
        await connection.close()


def main():
    token = sys.stdin.read().strip()
    try:
        answer = asyncio.run(ask({"kind": "organization_token", "token": token}))
    except CannotVerify as error:
        print(f"cannot be verified: {error}", file=sys.stderr)
        return CANNOT_VERIFY
    if not answer["active"]:
        print(f"refused: {answer['reason']}", file=sys.stderr)
        return REFUSED
    principal = answer["principal"]
    # A newer identity may return kinds and permissions that are not known here: they grant nothing.
    print(json.dumps({key: principal.get(key) for key in ("kind", "organization_id", "permissions")}))
    return VALID


if __name__ == "__main__":
    sys.exit(main())
