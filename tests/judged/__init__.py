"""Random scenarios, their motions integrated outside the program, and whether the program judges its lanes by them."""
