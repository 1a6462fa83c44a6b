"""Planning: how much memory a computation needs for how much I/O."""
