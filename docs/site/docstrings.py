"""docstrings.py: an extension of Sphinx that shows the docstrings of perp, which are plain text, by autodoc

A paragraph of sentences stays one; lines in columns, as of arguments and options, become preformatted text."""

import re

HIDDEN = {"n_fields", "n_sequence_fields", "n_unnamed_fields", "count"}


def plain(line):
    """Escapes the characters that mean something in reStructuredText."""
    return re.sub(r"([\\*`|])|(?<=\w)(_)(?=\W|$)", lambda m: "\\" + m[0], line)


def convert(lines):
    text = "\n".join(lines).split("\nMethods and their parameters:")[0]  # docs/methods.md has them
    out = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        rows = part.split("\n")
        if any(re.search(r"\S {2,}\S|^\s", row) for row in rows) or (len(rows) > 1 and rows[0].endswith(":")):
            head = rows[0] if rows[0].endswith(":") and not rows[0].startswith(" ") else None
            out += [plain(head), ""] if head else []
            out += ["::", "", *("   " + row for row in (rows[1:] if head else rows)), ""]
        else:
            out += [*map(plain, rows), ""]
    return out


def process(app, what, name, obj, options, lines):
    if name != "perp.solve_lcp" and "Options:" in lines:  # the same for all
        lines[lines.index("Options:"):] = ["Options are as in solve_lcp."]
    lines[:] = convert(lines)


def skip(app, what, name, obj, skipped, options):
    return True if name in HIDDEN else None


def setup(app):
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True}
