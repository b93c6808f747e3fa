"""Pages as a test reads them: their elements and their words."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page and its text outside of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self._inside = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, _tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside not in {"script", "style"}:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())
