"""I/O curves: words moved against the size of fast memory, computed, drawn and printed."""
