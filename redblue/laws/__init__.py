"""Laws of I/O: fitted to plays, enclosed by plays and proofs, of programs for all sizes."""
