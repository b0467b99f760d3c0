"""Reading the public headers: comments and declarations, for tools/write-docs and tools/write-man"""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

ORDER = ["base", "set", "operator", "problem", "solver", "derivative", "ncp", "frame", "batch", "ode", "io",
         "record", "generate"]


def comment_text(comment):
    """A C comment without its marks; indented lines stay as they are."""
    lines = comment.strip()[2:-2].split("\n")
    return "\n".join([lines[0].strip()] + [re.sub(r"^ \*( |$)", "", line).rstrip() for line in lines[1:]]).strip()


MACRO = "\x01"  # stands for # in a macro that is shown


def declarations(text):
    """(comment, code) for each declaration of a header; headings between dashes come as (title, None)."""
    text = re.sub(r"^#ifdef __cplusplus$.*?^#endif$", "", text, flags=re.M | re.S)  # extern "C"
    # macros for callers are declarations too: one for each run of lines
    text = re.sub(r"(?:^#define (?!PERP_API\b|\w+_H$).*\n)+", lambda run: run[0].replace("#", MACRO).rstrip() + ";\n",
                  text, flags=re.M)
    text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.M)
    at = 0
    while match := re.compile(r"\s*(/\*.*?\*/)?[ \n]*", re.S).match(text, at):
        comment, at = match.group(1) or "", match.end()
        if heading := re.fullmatch(r"/\* -+ (.*?) -+ \*/", comment):
            yield heading.group(1), None
            continue
        if comment and "\n\n" in text[match.start(1) + len(comment):at]:
            yield comment_text(comment), ""
            continue
        if at >= len(text):
            return
        depth, end = 0, at
        while end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0 and (text[end] == ";" or (text[end] == "}" and text[at:at + 6] == "static")):
                break
            end += 1
        end += 1
        trailing = re.compile(r"[ ]*/\*.*?\*/", re.S).match(text, end)
        if trailing:
            end = trailing.end()
        yield comment_text(comment) if comment else "", text[at:end]
        at = end


def shown(code):
    """A declaration as a reader sees it: without what only compilers need."""
    if code.startswith(MACRO):
        code = code.rstrip(";").replace(MACRO, "#")
    if code.startswith("PERP_API "):
        code = re.sub(r"\n {9}", "\n", code[9:])
    return code.strip()


def pages():
    """(name, title, about, declarations) of each header but perp.h, which only includes others."""
    folder = os.path.join(ROOT, "include", "perp")
    names = sorted((f[:-2] for f in os.listdir(folder) if f != "perp.h"),
                   key=lambda n: (ORDER.index(n) if n in ORDER else len(ORDER), n))
    for name in names:
        with open(os.path.join(folder, name + ".h"), encoding="utf-8") as f:
            text = f.read()
        top = re.match(r"/\*.*?\*/", text, re.S).group()
        title, _, about = comment_text(top).partition("\n")
        yield name, title, about.strip("\n") if about.strip() else "", list(declarations(text[len(top):]))
