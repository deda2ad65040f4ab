"""What other programs export, told in our form: conversations of ChatGPT and Claude, memories of Mem0, Letta."""
