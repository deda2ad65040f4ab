"""The MCP server: other agents recall, search and add to this memory, over stdio or HTTP."""
