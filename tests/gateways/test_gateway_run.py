"""`hermes gateway run` at a real process: what waiting does not mend ends it, with a sentence."""

import signal
import subprocess
import sys
from collections.abc import Sequence

from hermes_agent.config.paths import Home
from tests.gateways.conftest import OWNER
from tests.gateways.telegram_server import TelegramServer

_RUN = (sys.executable, "-m", "hermes_agent", "gateway", "run", "telegram")
_WITHOUT_LIBRARY = """
import sys
sys.modules["telegram"] = None
from hermes_agent.cli.start import run
run()
"""


def ended(command: Sequence[str]) -> tuple[int, str]:
    """Run a command that ends by itself; return its exit code and the last line it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, "Again in" in done.stderr) == ("", False)
    return done.returncode, done.stderr.splitlines()[-1]


def test_a_token_that_is_refused_ends_it(telegram_home: Home, server: TelegramServer) -> None:
    telegram_home.env_file.write_text("TELEGRAM_BOT_TOKEN=123:wrong\n")
    assert ended(_RUN) == (1, "Error: Telegram refused the token. Check TELEGRAM_BOT_TOKEN.")


def test_a_token_that_is_missing_ends_it(telegram_home: Home, server: TelegramServer) -> None:
    telegram_home.env_file.write_text("")
    sentence = "Error: TELEGRAM_BOT_TOKEN is not set. Run: hermes gateway setup telegram"
    assert ended(_RUN) == (1, sentence)


def test_a_library_that_is_missing_ends_it(telegram_home: Home, server: TelegramServer) -> None:
    sentence = "Error: The library for Telegram is missing. pip install 'hermes-agent[telegram]'"
    assert ended((sys.executable, "-c", _WITHOUT_LIBRARY, *_RUN[3:])) == (1, sentence)


def test_what_time_can_mend_is_waited_for_until_it_is_told_to_end(
    telegram_home: Home, server: TelegramServer
) -> None:
    server.fail(2)
    server.say(OWNER, "Good morning.")
    with subprocess.Popen(_RUN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        server.wait_for(lambda: server.texts(OWNER))
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert (process.returncode, "telegram: connected" in told, "Error:" in told) == (0, True, False)
