"""The daemon: the worker in a process that stays on; who it is, how it starts and how it ends."""
