/* Words for people, from the table of options and the descriptors of stages. */
#ifndef GF_HELP_H
#define GF_HELP_H

#include "cli/cli.h"

/* Answers what the request asks about the program itself, on standard output. */
int gf_help_answer(const struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;

/* Writes `text` in lines of at most `columns`, each behind `indent` blanks; the first one is already there. */
void gf_help_wrap(const char *text, int indent, int columns);

/* How an option is given: "--device auto|cpu|cuda[:N]", "-i, --input FILE". */
void gf_help_option_words(const struct gf_cli_row *row, char *text, size_t bytes);
/* How a stage is called: "blur[:SIGMA]". */
void gf_help_stage_words(const struct gf_stage *stage, char *text, size_t bytes);
/* The default of an option of a stage as people would write it; empty where there is none. */
void gf_help_default(const struct gf_option *row, char *text, size_t bytes);

/* named_help.c: the chains of the user's own; --help of the one that `word` names: 1, 0 where it names none, -1 */
void gf_help_list_chains(void);
int gf_help_chain(const char *word, struct gf_error *err) GF_MUST_CHECK;
/* and for completions: name, keys and summary of each, with tabs between */
void gf_help_complete_chains(void);

/* complete.c */
void gf_complete_bash(void);
void gf_complete_zsh(void);
void gf_complete_fish(void);

/* manual.c */
void gf_manual_options(void);
void gf_manual_stages(void);
void gf_manual_examples(void);

/* manual_html.c: the page, and a line for each of its pictures: the file without .png, the sample, the stages */
void gf_manual_html(void);
void gf_manual_pictures(void);

#endif
