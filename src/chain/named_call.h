/* One call of a chain: its values, and the arguments that the chain declares. */
#ifndef GF_CHAIN_NAMED_CALL_H
#define GF_CHAIN_NAMED_CALL_H

#include "chain/named.h"

#define GF_NAMED_CALL_PIECES (GF_NAMED_ARGUMENTS + 4)      /* more than a correct call can have */

/* One value of the call as written: KEY=VALUE, or VALUE. */
struct gf_named_call_piece {
    char *text;
    bool used;
};

struct gf_named_call {
    char *path;                      /* of the file; freed with the call */
    const char *place;               /* the place of the word that calls; NULL: it was typed */
    uint64_t device, number;         /* identity of the file */
    char *what;                      /* "scan", "@./scan.chain" */
    int line;                        /* number of the last line that declares arguments */
    struct gf_named_call_piece piece[GF_NAMED_CALL_PIECES];
    int pieces;
    struct gf_named_argument argument[GF_NAMED_ARGUMENTS];
    int arguments;
    char *folder;                    /* the value of $dir, once it was needed */
};

/* Splits the word: "scan:3,level=50%". Release the call in any case. */
int gf_named_call_read(struct gf_named_call *call, const char *word, struct gf_error *err) GF_MUST_CHECK;
/*
 * Declares "radius=2" or "radius" at `line` of the file. Its value is that of the call, or the
 * default.
 */
int gf_named_call_declare(struct gf_named_call *call, char *text, int line, struct gf_error *err) GF_MUST_CHECK;
/* Fails if the call has values that no argument was declared for. */
int gf_named_call_check(const struct gf_named_call *call, struct gf_error *err) GF_MUST_CHECK;
/* The value of $name; NULL with the error if there is none. */
const char *gf_named_call_value(struct gf_named_call *call, const char *name, struct gf_error *err);
void gf_named_call_release(struct gf_named_call *call);

#endif
