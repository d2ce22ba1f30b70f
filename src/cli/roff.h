/* Prints text as roff with man(7) macros, on standard output. */
#ifndef GF_CLI_ROFF_H
#define GF_CLI_ROFF_H

#include <stdbool.h>

/* Prints text that roff takes literally. `start`: a line begins, where dots and quotes are commands. */
void gf_roff_text(const char *text, bool start);
/* Prints text in lines of at most 78 bytes, which mandoc -Tlint demands; sentences begin new lines. */
void gf_roff_filled(const char *text);
/* Prints a summary as a sentence, with a full stop. */
void gf_roff_sentence(const char *text);
/* Prints a macro, as .B for bold, with its text as one argument. */
void gf_roff_macro(const char *macro, const char *text);
/* Prints paragraphs; one that begins with a blank is printed line by line as it is. */
void gf_roff_paragraphs(const char *text);

#endif
