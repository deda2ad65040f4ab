"""How long a text is for a model, guessed without its tokenizer.

Three characters a token is on the safe side for prose in most scripts and for code; budgets that are kept
by this guess are kept by every vendor's count.
"""

CHARACTERS_PER_TOKEN = 3


def tokens(characters: int) -> int:
    """Guess how many tokens so many characters are."""
    return -(-characters // CHARACTERS_PER_TOKEN)
