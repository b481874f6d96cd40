"""`python -m attention_explorer` starts the app."""

from attention_explorer.command import main

main()
