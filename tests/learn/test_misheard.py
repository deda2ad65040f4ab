"""What only looks like a fact is not learned, and the plain sentence beside it is."""

import pytest

from tests.learn.misheard import MISHEARD
from tests.learn.test_hearing import learned, written


@pytest.mark.parametrize(("said", "facts"), MISHEARD.items(), ids=list(MISHEARD))
def test_only_what_is_meant_is_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts
