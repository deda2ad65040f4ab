import pytest

from hermes_agent.learn.cheers import only_cheers


@pytest.mark.parametrize(
    "text",
    [
        "She's SO cute! Isn't she just the cutest?",
        "So excited for you! All the best!",
        "Wow, that sounds amazing! I'm so happy for you!",
        "Congrats! You got this.",
        "Good luck, can't wait to hear how it goes!",
    ],
)
def test_what_only_cheers_is_told(text: str) -> None:
    assert only_cheers(text)


@pytest.mark.parametrize(
    "text",
    [
        "So excited for you! The race is on 4 May.",
        "I'm so happy with Rex, he is cute.",
        "We are so excited: our flat in Lyon is ready!",
        "My cat is so cute!",
        "The cutover is on Thursday.",
        "She adopted a dog from the shelter. So cute!",
        "I love my new job!",
        "",
    ],
)
def test_what_tells_something_is_no_cheer(text: str) -> None:
    assert not only_cheers(text)
