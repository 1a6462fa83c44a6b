"""Things that families share, and answers about a member of any family."""
