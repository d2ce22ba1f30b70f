/* Lists other programs' words. */
#ifndef GF_CLI_LISTING_FOREIGN_H
#define GF_CLI_LISTING_FOREIGN_H

/*
 * Prints a line for each word of each row, with tabs: program or "hint", kind of signal, word, example, effect, our
 * words.
 */
void gf_listing_foreign(void);

#endif
