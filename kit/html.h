/* html.h: what every page of the program shares: its head, its colours, text that is safe in it */
#pragma once

#include <stdio.h>

/* A page begins: the rules of style that follow are the caller's own, up to html_body. */
void html_head(FILE *out, const char *title);
void html_body(FILE *out);
void html_end(FILE *out);

/* Text with what HTML reads as markup replaced. */
void html_escape(FILE *out, const char *text);
/* A string of a script, with its quotation marks; it may stand within a page. */
void html_script_text(FILE *out, const char *text);
