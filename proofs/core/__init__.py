"""The core of what checks: records, the sum of windows, the verdict; it knows no lemma by name."""
