"""How many visitors a server carries: clients that speak its protocol, without a browser."""
