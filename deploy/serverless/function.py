"""hermes as a function: AWS Lambda, or anything that calls `handler(event, context)`.

The environment says where the memory is (HERMES_MEMORY_BACKEND=postgres, HERMES_MEMORY_CONNECTION_STRING) and
holds a model's key. Install `hermes-agent[postgres]` beside this file. Call the function with {} every few
minutes, too: what was said is learned from then.
"""

import json

from hermes_agent.public.handler import respond

_SPARE_SECONDS = 5.0


def handler(event, context):
    """Answer one message, and do the work that is due."""
    body = event["body"] if isinstance(event.get("body"), str) else json.dumps(event)
    seconds = context.get_remaining_time_in_millis() / 1000 - _SPARE_SECONDS if context is not None else 20.0
    status, answer = respond(body, seconds=seconds)
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(answer)}
