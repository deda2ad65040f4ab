"""The tools that other agents call, one module for each part of memory."""
