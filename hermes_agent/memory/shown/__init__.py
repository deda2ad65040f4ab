"""Records as JSON, the same at every door: what `--json` prints is what a server answers. Times are in UTC."""
