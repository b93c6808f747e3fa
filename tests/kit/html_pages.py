"""Pages as a test reads them: their elements and their words."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page, and its text outside of scripts, styles and drawings."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self.rows, self._inside = [], [], [], ""
        self._drawn = 0  # depth of elements within a drawing
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
        self._drawn += self._drawn > 0 and tag == "div"
        if "drawing" == dict(attrs).get("class"):
            self._drawn = 1
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self._inside = ""
        self._drawn -= self._drawn > 0 and tag == "div"

    def handle_data(self, data):
        if self._inside not in {"script", "style"} and not self._drawn:
            self.words.append(data)
        if self._inside in {"td", "th"}:
            self.rows[-1][-1] += data

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())
