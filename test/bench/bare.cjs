// A program that does nothing: what Node costs.
