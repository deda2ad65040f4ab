"""A process that talks to a scripted model over HTTP, with tools, and tells each step when it is out.

`session ID`, then for each message `saying TEXT`, `called ARGUMENTS`, `result ARGUMENTS`, `answered TEXT`.
Everything told has been told after the event came, so it must be on the disk.
"""

from pathlib import Path

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.events import Finished, TextDelta, ToolFinished, ToolStarted
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from tests.proof.places import tell

TURNS = 20


def talk(name: str, folder: str, resumed: str = "") -> None:
    """Take turns in the active home until killed; go on with a session if one is named."""
    home = paths.active_home()
    app = App(home, load(home))
    app.notebook.reconcile()
    conversation = Conversation(app.desk, Opening("cli", Path(folder)))
    if resumed:
        conversation.resume(resumed)
        tell("session", resumed)
    for number in range(TURNS):
        text = f"message {number} of {name}"
        for event in conversation.say(text):
            if number == 0 and not resumed and conversation.session_id is not None:
                tell("session", conversation.session_id)
                resumed = conversation.session_id
            tell("said", text)
            match event:
                case ToolStarted(call):
                    tell("called", call.arguments)
                case ToolFinished(call, _):
                    tell("result", call.arguments)
                case TextDelta(_):
                    tell("word")
                case Finished(response):
                    tell("answered", response.text)
    app.close()
