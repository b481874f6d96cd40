"""What the Makefile calls: small programs that need nothing but Python itself."""
