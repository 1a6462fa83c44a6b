"""What is shown to a reader: `model` has findings as data, which pages, figures and files draw."""
