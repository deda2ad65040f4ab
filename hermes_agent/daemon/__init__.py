"""The daemon: the worker in a process that stays on; how it starts and how it ends."""
