"""Layers of files that no family knows: a person says which tensor is which, and keeps that."""
