"""The core of checkers: records, the sum of windows, the verdict; it knows no lemma by name."""
