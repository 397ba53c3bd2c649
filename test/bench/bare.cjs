// A program that does nothing: the cost of Node.
