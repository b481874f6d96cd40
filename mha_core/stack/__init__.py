"""Several layers on one stream: each adds to X what its heads have found."""
