"""Limits of work: its time, interrupts from the keyboard, and what is told meanwhile."""
