"""Buffers at addresses: `rb.place`, files of buffers, and pictures of memory over time."""
