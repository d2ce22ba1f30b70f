/* One call of a chain: what it is given, and what the arguments that it declares stand for. */
#ifndef GF_CHAIN_NAMED_CALL_H
#define GF_CHAIN_NAMED_CALL_H

#include "chain/named.h"

#define GF_NAMED_CALL_PIECES (GF_NAMED_ARGUMENTS + 4)      /* some more than can be right */

/* One value of the call as written: KEY=VALUE, or VALUE. */
struct gf_named_call_piece {
    char *text;
    bool used;
};

struct gf_named_call {
    char *path;                      /* of the file; released with the call */
    const char *place;               /* of the word in the file that calls; NULL: it was typed */
    uint64_t device, number;         /* which file it is */
    char *what;                      /* "scan", "@./scan.chain" */
    int line;                        /* of the last line of arguments */
    struct gf_named_call_piece piece[GF_NAMED_CALL_PIECES];
    int pieces;
    struct gf_named_argument argument[GF_NAMED_ARGUMENTS];
    int arguments;
    char *folder;                    /* $dir, once it was asked for */
};

/* Takes the word apart: "scan:3,level=50%". Release the call in any case. */
int gf_named_call_read(struct gf_named_call *call, const char *word, struct gf_error *err) GF_MUST_CHECK;
/* "radius=2" or "radius", at `line` of the file: its value is the call's, or what stands here. */
int gf_named_call_declare(struct gf_named_call *call, char *text, int line, struct gf_error *err) GF_MUST_CHECK;
/* Once all are declared: refuses what the call has beyond them. */
int gf_named_call_check(const struct gf_named_call *call, struct gf_error *err) GF_MUST_CHECK;
/* What $name stands for; NULL where that is nothing. */
const char *gf_named_call_value(struct gf_named_call *call, const char *name, struct gf_error *err);
void gf_named_call_release(struct gf_named_call *call);

#endif
