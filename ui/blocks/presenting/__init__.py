"""Pages as a lecturer presents them: one part at a time, as large as the screen allows."""
