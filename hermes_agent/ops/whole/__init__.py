"""All of a memory in one file: written (`writing.py`), checked (`reading.py`), brought in (`merging.py`)."""
