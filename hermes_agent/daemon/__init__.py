"""The daemon: worker, web and gateways in a process that stays on; how it starts and how it ends."""
