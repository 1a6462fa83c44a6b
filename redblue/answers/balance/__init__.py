"""Balance of a computation with a machine: arithmetic over I/O against M, and rooflines."""
