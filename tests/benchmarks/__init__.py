"""Benchmarks of developers; those that users want are ``polhode bench``."""
