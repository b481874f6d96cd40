"""The attention layers of a PyTorch module while it runs, each as a Scenario."""
