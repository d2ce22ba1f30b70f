/* Breaks text into lines of a terminal. */
#ifndef GF_CLI_WRAP_H
#define GF_CLI_WRAP_H

/*
 * Prints `text` in lines of at most `columns`, each after `indent` blanks; those of the first line
 * are already printed. An empty line separates paragraphs. A paragraph that begins with blanks is
 * printed line by line as it is.
 */
void gf_wrap_print(const char *text, int indent, int columns);

#endif
