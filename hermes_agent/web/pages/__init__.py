"""The dashboard: one module for each page, with its forms."""
