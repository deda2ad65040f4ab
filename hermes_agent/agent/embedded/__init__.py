"""The embedded default: a model of our own that needs no key and no network, and makes nothing up."""
