"""The trained reader: a small network that finds, beside the rules, what messages state (extra `minilm`)."""
