"""Language models: choosing one from the settings, asking it, naming what went wrong."""
