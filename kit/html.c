/* html.c: one page that needs nothing else, in light and dark, narrow and wide */
#include "kit/html.h"

#include <string.h>

/* Curves and bars have the colours c0 to c7; c2 is also what is good, c3 what is bad. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c1f23;--soft:#5b6269;--line:#d9dde1;--faint:#b9bfc5;"
    "--back:#fff;--c0:#0067a5;--c1:#c2570c;--c2:#00806a;--c3:#b3243b;--c4:#7b4fb5;--c5:#8a6d00;"
    "--c6:#0e8aa8;--c7:#c03a87}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a5acb3;"
    "--line:#3a3f45;--faint:#5a6168;--back:#16181b;--c0:#56b0ec;--c1:#f0924a;--c2:#35c9a8;"
    "--c3:#f2707f;--c4:#b794ec;--c5:#d9b832;--c6:#4cc9e6;--c7:#f07fbe}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);"
    "max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
    "a{color:var(--c0)}table{border-collapse:collapse;margin:1rem 0;font-size:.85rem;"
    "display:block;overflow-x:auto;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "td,th{padding:.15rem .8rem .15rem 0;text-align:left;border-bottom:1px solid var(--line)}\n";

void html_head(FILE *out, const char *title)
{
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>",
        out);
  html_escape(out, title);
  fprintf(out, "</title>\n<style>\n%s", style);
}

void html_body(FILE *out)
{
  fputs("</style></head><body>\n", out);
}

void html_end(FILE *out)
{
  fputs("</body></html>\n", out);
}

void html_escape(FILE *out, const char *text)
{
  for (; *text; text++)
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '>')
      fputs("&gt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else if (*text == '"')
      fputs("&quot;", out);
    else
      fputc(*text, out);
}

/* No quotation mark, backslash or angle bracket comes as itself. */
void html_script_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text; text++)
    if (strchr("\"\\<>&", *text) || (unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}
