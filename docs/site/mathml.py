"""mathml.py: equations of the site as MathML, which browsers draw themselves

No script and no font has to be loaded, so the pages work without a network. The translation from
LaTeX is done by docutils; a command that it does not know fails the build."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import SphinxError


def bars(text):
    """Sets \\lvert and \\rvert close to what is between them; without a form browsers space them as relations."""
    text = re.sub(r'<mo class="mathopen">([|\u2016])</mo>', r'<mo form="prefix" stretchy="false">\1</mo>', text)
    return re.sub(r"<mo>([|\u2016])</mo>", r'<mo form="postfix" stretchy="false">\1</mo>', text)


def accents(text):
    """Puts the index of an accented letter next to it; docutils puts it below."""
    return re.sub(r"<munderover>\s*(<mi>[^<]*</mi>)\s*(<m[in]>[^<]*</m[in]>)\s*(<mo stretchy=\"false\">[^<]</mo>)\s*</munderover>",
                  r"<msub><mover>\1\3</mover>\2</msub>", text)


def translate(text, inline):
    try:
        return accents(bars(tex2mathml(text, inline=inline)))
    except SyntaxError as error:
        raise SphinxError(f"equation {text!r}: {error}") from error


def visit_inline(self, node):
    self.body.append(translate(node.astext(), True))
    raise nodes.SkipNode


def visit_block(self, node):
    self.body.append('<div class="equation">' + translate(node.astext(), False) + "</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
