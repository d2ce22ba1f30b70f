/* Prints the table of other programs' words. */
#ifndef GF_CLI_MANUAL_WORDS_H
#define GF_CLI_MANUAL_WORDS_H

/*
 * A line for each word of each row, with tabs: program or "hint", kind of signal, word, example, effect, our words.
 */
void gf_manual_words(void);

#endif
