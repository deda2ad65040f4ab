"""An agent that remembers: a memory engine with an agent on top.

The version stands here and nowhere else; the package's metadata reads it from this line.
"""

__version__ = "0.1.0"
