"""The walkthrough, the tours, and a field guide to the patterns that heads make."""
