"""One module per tool or family of tools; each is offered through the toolbox."""
