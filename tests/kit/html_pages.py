"""Pages as a test reads them: their elements and their words."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page and its text outside of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self.rows, self._inside = [], [], [], ""
        self.feed(text)

    @classmethod
    def rows_of(cls, text):
        """Return the texts of the cells of a page's tables, row by row."""
        return cls(text).rows

    def handle_starttag(self, tag, attrs):
        if tag == "wbr":  # a word goes on after it
            return
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, _tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside not in {"script", "style"}:
            self.words.append(data)
        if self._inside in {"td", "th"}:
            self.rows[-1][-1] += data

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())
