"""The HTTP door: the API under /api, the dashboard's pages, and what guards both."""
