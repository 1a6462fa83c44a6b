"""What a page says of itself, read by Python's own parser."""

from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}
ALONE = {"circle", "line", "path", "rect", "use"}  # may be closed within themselves, in an SVG


class Page(HTMLParser):
    """Elements, identifiers, references and texts of a page; fails where tags do not nest."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.references = [], [], [], []
        self.handlers, self.texts = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.note(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID | ALONE | {"g"}, tag
        self.note(tag, attributes)

    def note(self, tag, attributes):
        self.tags.append(tag)
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), (tag, names)
        self.handlers += [name for name in names if name.startswith("on")]
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src", "action", "xlink:href"):
                self.references.append(value)

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" not in self.open and "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        """All that a reader sees, with single spaces."""
        return " ".join(" ".join(self.texts).split())
