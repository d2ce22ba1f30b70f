/* Words of other programs: one table of rows, and the interpreter that turns a word with its values into ours. */
#ifndef GF_CHAIN_FOREIGN_H
#define GF_CHAIN_FOREIGN_H

#include "base/signal.h"

#include <stdbool.h>
#include <stddef.h>

/* Bits of rows and calls: whose word it is, and for which kind of signal (neither: for both). */
#define GF_FFMPEG 1u
#define GF_MAGICK 2u
#define GF_SOX    4u
#define GF_VIPS   8u
#define GF_PEOPLE 16u           /* what people call it, whichever program they come from */
#define GF_OURS   32u           /* our own word, for the kind of signal that has no such stage */
#define GF_FOR(kind) (64u << (kind))

/*
 * One word of other programs. `takes` is the pattern of its values:
 *   PARAMETER PARAMETER ...   in order; all values must be taken by one
 *   KEY:PATTERN               also as KEY=VALUE; -KEY:PATTERN is two arguments, -KEY: a flag; .KEY has no place
 *   PATTERN?  PATTERN?VALUE   may be missing, or is VALUE then
 *   ONE|OTHER                 alternatives, of keys and of patterns
 *   #a *a @a                  a number, a text, or a text that begins with a digit, kept as a; the same letter twice
 *                             must be the same text. Capitals stay set for later words of the command
 *   TEXT>a:WORD               TEXT, and a becomes WORD
 *   \c                        the character itself
 * "=" are the values of our stage, "==" too, and the word is accepted with a note; "" are none. NULL: the row is a
 * hint for other values and for the word alone.
 *
 * `gives` are our stages, one of our options, or "-" for what is left out; in it {a} is a text, {2*a} a number,
 * {!a-1} fails unless it is above 0, and [...] is left out if something in it is not set. After " # " is a remark that
 * is printed before the advice. A hint is one stage, or a clause that begins with "use" or "there is no"; it has no
 * braces.
 *
 * `example` are values, and `effect` says what they do to a sample, for the test that runs every row; NULL in a hint.
 */
struct gf_foreign_row {
    unsigned whose;
    const char *words, *takes, *gives, *example, *effect;
};

extern const struct gf_foreign_row gf_foreign_rows[];        /* ended by a row without words */

/* The text around an operation of a program in the commands of hints. */
struct gf_foreign_command {
    unsigned whose;
    const char *before, *after;
};

extern const struct gf_foreign_command gf_foreign_commands[];        /* ended by a row without text */

/* Texts that the words of a command have set, by letter, and their last remark or NULL. It is zeroed at first. */
struct gf_foreign_settings {
    const char *remark;
    char text['z' - 'A' + 1][120];
    bool set['z' - 'A' + 1];
    char failed[120];                            /* the filter of a graph that has no translation, with its values */
};

/* A word with its values, in one text (NULL: none) or as `count` separate arguments. */
struct gf_foreign_call {
    unsigned whose;                              /* bits of the programs it may come from, and of kinds */
    const char *name, *text;
    const char *const *value;
    int count;
};

/* Our words: stages, or an option of the command line. */
struct gf_foreign_words {
    char text[600];
};

/* Appends words after a blank. Returns false if there is no room. */
bool gf_foreign_put(struct gf_foreign_words *words, const char *text);
/*
 * Finds the first row, from row `from` on, whose values fit, and writes our words for it, which may be none. Returns
 * its number, or -1.
 */
int gf_foreign_find(const struct gf_foreign_call *call, int from, struct gf_foreign_settings *settings,
                    struct gf_foreign_words *words);
bool gf_foreign_set(struct gf_foreign_settings *settings, char letter, const char *text);
const char *gf_foreign_setting(const struct gf_foreign_settings *settings, char letter);     /* NULL: not set */
/* True if a program of `whose` has the word; its rows may still not fit the values. */
bool gf_foreign_has(unsigned whose, const char *name);
/* How many values a word with a row takes in ImageMagick: 0, 1 or 2; otherwise -1. */
int gf_foreign_magick_values(const char *name);

/*
 * The stage that a name means exactly, values included; or NULL. *alias (`alias` may be NULL) becomes a lasting copy
 * of the name.
 */
const char *gf_foreign_alias(const char *name, const char **alias);
/*
 * A hint for a word that is no stage's name, whatever its capitals and dashes: stages, or a clause; or NULL. It lasts
 * until the next call in the thread. `kinds` has the bits 1 << KIND of the kinds that the input may be; 0: unknown.
 */
const char *gf_foreign_hint(const char *word, unsigned kinds);

/* A word with the values that were typed; what is missing is NULL. */
struct gf_foreign_typed {
    const char *name, *values;                   /* NAME:VALUES or NAME=VALUES */
    const char *graph;                           /* all of an argument of FFmpeg's -af or -vf */
    char *const *after;                          /* the arguments after it; the last one is never a value */
};

/* Like gf_foreign_hint(). In a command of SoX, FFmpeg or ImageMagick the typed values replace those of the table. */
const char *gf_foreign_explain(const struct gf_foreign_typed *typed, unsigned kinds);
/* True if the hint is a clause, "there is no ..." or "use ...", not stages. */
bool gf_foreign_is_clause(const char *hint);
/* True if a hint or a remark has options or a pipeline, for the command line. */
bool gf_foreign_is_for_shell(const char *hint);
/*
 * The stage for signals of `kind`, or the clause, that corresponds to our stage of the other kind, or NULL. `word` is
 * that stage with its values. The result lasts until the next call in the thread.
 */
const char *gf_foreign_counterpart(const char *word, enum gf_kind kind);

#endif
