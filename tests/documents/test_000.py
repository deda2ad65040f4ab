"""What document 000 promises: “You can reset the full memory store or delete individual memories.”"""

from tests.conftest import Hermes


def test_the_full_memory_store_can_be_reset(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "My timezone is Europe/London")
    assert hermes("memory", "reset", "--yes").exit_code == 0
    assert "London" not in hermes("memory", "facts", "list").stdout


def test_individual_memories_can_be_deleted(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "My timezone is Europe/London")
    hermes("memory", "fact", "add", "Atlas runs on docker")
    assert hermes("memory", "forget", "fact:001", "--yes").exit_code == 0
    left = hermes("memory", "facts", "list").stdout
    assert "docker" in left
    assert "London" not in left
