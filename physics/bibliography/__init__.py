"""The bibliography: the sources of schemes and examples, as one cites them."""
