"""What each signal counts. Fitted on public conversations (`benchmarks/recall.py`, docs/benchmarks.md)."""

from typing import Final

_DAYS_ALONE = 8.0
"""Not fitted: who asks for days and nothing else wants what was said then, whatever it was."""

_FRESH, _FRESH_CHATS = 0.5, 0.25
"""Not fitted: just enough that of two that fit alike the newer one is first."""

PEOPLE: Final = {
    "first_person": 1.23,
    "number": 0.46,
    "asks": -0.57,
    "start": 1.14,
    "rarity": 3.75,
    "when": 1.86,
    "title": 2.3,
    "where": 1.93,
    "day": 5.71,
    "told_day": 2.08,
    "speaker": 3.91,
    "window_words": 2.08,
    "session_best_words": 1.74,
    "soft_words": 4.98,
    "own_meaning": 2.05,
    "near_meaning": 2.63,
    "session_meaning": 2.86,
    "asked_meaning": 1.07,
    "days_alone": _DAYS_ALONE,
    "fresh": _FRESH,
    "kind": 1.9,
}
"""Talk between people, with vectors."""

PEOPLE_BY_WORDS: Final = {
    "first_person": 1.35,
    "number": 0.54,
    "asks": -0.6,
    "start": 1.04,
    "rarity": 3.78,
    "when": 1.93,
    "title": 2.36,
    "where": 1.92,
    "day": 5.96,
    "told_day": 1.94,
    "speaker": 3.86,
    "window_words": 2.58,
    "own_words": 3.12,
    "session_best_words": 2.3,
    "session_words": 1.25,
    "cover": 1.87,
    "asked_words": 1.93,
    "days_alone": _DAYS_ALONE,
    "fresh": _FRESH,
    "kind": 2.28,
}
"""Talk between people, without vectors."""

CHATS: Final = {
    "passage_words": 1.64,
    "part_cover": 2.09,
    "window_words": 0.5,
    "exchange_meaning": 3.49,
    "session_meaning": 4.05,
    "goes_on": -1.15,
    "gist": 1.67,
    "answer_length": -0.72,
    "place": -0.99,
    "names": 0.45,
    "news": 0.3,
    "first_person": 1.74,
    "role": 1.27,
    "summary_answer": 3.28,
    "order_answer": -3.8,
    "instruction": 3.89,
    "preference": 2.85,
    "count_past": 0.79,
    "how_many": 1.17,
    "denial": 1.1,
    "time": 2.38,
    "told_day": 1.51,
    "days_alone": _DAYS_ALONE,
    "fresh": _FRESH_CHATS,
    "kind": 0.66,
}
"""Chats of a user with an assistant, with vectors."""

CHATS_BY_WORDS: Final = {
    "passage_words": 2.74,
    "part_cover": 3.06,
    "window_words": 1.49,
    "own_words": 0.66,
    "session_words": 1.78,
    "answer_length": -1.1,
    "place": -1.21,
    "names": 0.34,
    "news": 0.25,
    "first_person": 1.5,
    "role": 1.29,
    "summary_answer": 3.02,
    "order_answer": -4.13,
    "instruction": 4.58,
    "preference": 3.09,
    "count_past": 0.85,
    "how_many": 1.21,
    "denial": 1.46,
    "when": 0.86,
    "time": 2.54,
    "told_day": 1.76,
    "days_alone": _DAYS_ALONE,
    "fresh": _FRESH_CHATS,
}
"""Chats of a user with an assistant, without vectors."""
