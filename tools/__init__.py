"""What the Makefile calls: small programs."""
