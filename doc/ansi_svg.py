#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A terminal's screen as an SVG picture.

    tmux capture-pane -p -e | ansi_svg.py COLUMNS TITLE >picture.svg

Reads text with SGR sequences, and writes each row as a line of monospace text
on rectangles of its background colours.  Other control characters are dropped.
"""

import re
import sys
from xml.sax.saxutils import escape, quoteattr

CELL, LINE, SIZE, MARGIN = 8.4, 17, 14, 10
TEXT, PAPER = "#d0d0d0", "#1c1c1c"
BLANK = "\u00a0"  # viewers collapse spaces
BASIC = ("#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 "
         "#666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db "
         "#ffffff").split()
TOKEN = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\[[0-9;?]*[A-Za-z]|\x1b.|([^\x1b])")


def indexed(n):
    """Colour n of the 256 that xterm has."""
    if n < 16:
        return BASIC[n]
    if n >= 232:
        return "#" + "%02x" % (8 + 10 * (n - 232)) * 3
    levels = (0, 95, 135, 175, 215, 255)
    n -= 16
    return "#%02x%02x%02x" % (levels[n // 36], levels[n // 6 % 6],
                              levels[n % 6])


class Pen:
    """What the SGR sequences so far have selected."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.underline = self.reverse = False

    def sgr(self, params):
        codes = [int(p or 0) for p in params.replace(":", ";").split(";")]
        while codes:
            self.code(codes.pop(0), codes)

    def code(self, code, rest):
        if code == 0:
            self.reset()
        elif code in (1, 2, 4, 7):
            name = {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}[code]
            setattr(self, name, True)
        elif code == 22:
            self.bold = self.dim = False
        elif code == 24:
            self.underline = False
        elif code == 27:
            self.reverse = False
        elif code in (38, 48):
            self.paint(code == 38, self.extended(rest))
        elif code in (39, 49):
            self.paint(code == 39, None)
        elif 30 <= code <= 37 or 90 <= code <= 97:
            self.paint(True, BASIC[code - 30 if code < 40 else code - 82])
        elif 40 <= code <= 47 or 100 <= code <= 107:
            self.paint(False, BASIC[code - 40 if code < 50 else code - 92])

    def paint(self, is_text, colour):
        if is_text:
            self.fg = colour
        else:
            self.bg = colour

    @staticmethod
    def extended(rest):
        if rest[:1] == [5] and len(rest) >= 2:
            rest.pop(0)
            return indexed(rest.pop(0) & 255)
        if rest[:1] == [2] and len(rest) >= 4:
            rgb = tuple(c & 255 for c in rest[1:4])
            del rest[:4]
            return "#%02x%02x%02x" % rgb
        return None

    def look(self):
        """(text colour, background or None, attributes)"""
        fg, bg = self.fg or TEXT, self.bg
        if self.reverse:
            fg, bg = bg or PAPER, fg
        attributes = ""
        if self.bold:
            attributes += ' font-weight="bold"'
        if self.dim:
            attributes += ' opacity="0.6"'
        if self.underline:
            attributes += ' text-decoration="underline"'
        return fg, bg, attributes


def runs(line, pen):
    """[column, look, text] of the cells of a line that look the same."""
    found, column = [], 0
    for match in TOKEN.finditer(line):
        if match.group(1) is not None:
            pen.sgr(match.group(1))
        elif match.group(2) and match.group(2).isprintable():
            if found and found[-1][1] == pen.look():
                found[-1][2] += match.group(2)
            else:
                found.append([column, pen.look(), match.group(2)])
            column += 1
    return found


def row(y, line, pen):
    """The rectangles and the text of a line, whose top is at y."""
    under, text = [], []
    for column, (fg, bg, attributes), chars in runs(line, pen):
        x = MARGIN + column * CELL
        width = len(chars) * CELL
        if bg:
            under.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" '
                         'fill="%s"/>' % (x, y, width, LINE, bg))
        text.append('<tspan x="%.1f" textLength="%.1f" fill="%s"%s>%s</tspan>'
                    % (x, width, fg, attributes, escape(chars).replace(" ", BLANK)))
    return "".join(u + "\n" for u in under) + '<text y="%d">%s</text>' % (
        y + LINE - 4, "".join(text))


def main():
    columns, title = int(sys.argv[1]), sys.argv[2]
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(encoding="utf-8")
    lines = sys.stdin.read().rstrip("\n").split("\n")
    pen = Pen()
    width = round(2 * MARGIN + columns * CELL)
    height = 2 * MARGIN + len(lines) * LINE
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
          'viewBox="0 0 %d %d" role="img" aria-label=%s>'
          % (width, height, width, height, quoteattr(title)))
    print("<title>%s</title>" % escape(title))
    print('<rect width="100%%" height="100%%" rx="6" fill="%s"/>' % PAPER)
    print('<g font-size="%d" font-family="DejaVu Sans '
          'Mono, Menlo, Consolas, monospace">' % SIZE)
    for number, line in enumerate(lines):
        print(row(MARGIN + number * LINE, line, pen))
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
