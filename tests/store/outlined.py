"""Which outlines there are, and which there should be."""

from sqlalchemy import Connection, select

from hermes_agent.store.tables import episodes, outlines, sketches

BYTES = 32


def count_and_compare(connection: Connection) -> int:
    """Count the outlines: there is one for each gist of the episodes that a summary stands for, and no other."""
    found = connection.execute(select(outlines.c.episode_id, outlines.c.bits)).all()
    gists = select(sketches.c.episode_id, sketches.c.gist).join(episodes, episodes.c.id == sketches.c.episode_id)
    old = connection.execute(gists.where(episodes.c.state == "compressed", sketches.c.gist.is_not(None))).all()
    assert sorted(map(tuple, found)) == sorted((one, gist[:BYTES]) for one, gist in old)
    return len(found)
