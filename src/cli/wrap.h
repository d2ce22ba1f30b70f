/* Text for people in lines of a terminal. */
#ifndef GF_CLI_WRAP_H
#define GF_CLI_WRAP_H

/* Prints `text` in lines of at most `columns`, each after `indent` blanks; those of the first line are already printed. */
void gf_wrap_print(const char *text, int indent, int columns);

#endif
