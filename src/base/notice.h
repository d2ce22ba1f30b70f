/*
 * Warnings and notes: each kind appears once in a run, with
 * the first file it concerns and a count of the others.
 */
#ifndef GF_BASE_NOTICE_H
#define GF_BASE_NOTICE_H

#include "base/error.h"

/*
 * A note reports what was done. A warning names what is lost, ignored or reinterpreted; --strict makes it an
 * error. A loss is a warning about samples that an input lacks. Each input has its own, because that file
 * needs attention.
 */
enum gf_notice_level { GF_NOTE, GF_WARNING, GF_LOSS };

struct gf_notices;

struct gf_notice_options {
    const char *program;                 /* notices begin with this name; NULL: gpufilter */
    bool quiet;                          /* print nothing */
    bool strict;                         /* warnings are errors: gf_notices_check() fails */
    /* takes each notice instead of the terminal; `name` is the file or stage that it is about, or NULL */
    void (*take)(void *context, enum gf_notice_level level, const char *name, const char *text);
    void *context;
};

/* Creates the collection of a run; NULL if memory is short. */
struct gf_notices *gf_notices_new(const struct gf_notice_options *options);
/*
 * Creates the collection of one input of a run. `number` orders inputs. With `at_once`,
 * gf_notices_check() prints the notices; otherwise the run does. NULL if memory is short.
 */
struct gf_notices *gf_notices_new_file(struct gf_notices *run, int number, bool at_once);
/* The input consists of several files, which are counted as the inputs of a run are. */
void gf_notices_count_files(struct gf_notices *file);
/*
 * Creates a collection whose notices become those of an input
 * only if they are kept. NULL if `file` is, or memory is short.
 */
struct gf_notices *gf_notices_new_part(struct gf_notices *file);
/*
 * Moves the notices of an input to its run, or of a part to its input,
 * if `keep` is set, and frees the collection. NULL is fine.
 */
void gf_notices_end_file(struct gf_notices *file, bool keep);
/* Moves the notices of a part to its input, as if they came now. */
void gf_notices_move(struct gf_notices *part);
/* Frees the collection of a run, or a part whose notices are not kept. NULL is fine. */
void gf_notices_free(struct gf_notices *n);

/*
 * Adds a notice about `name`, a file or a stage (NULL: the text names it). Only the first notice
 * of a `kind` is kept: later ones of the same file are dropped, those of other files are counted (losses are
 * kept for each file).
 * If `kind` is NULL, notices with the same text are of one kind. Any thread may call this; `n` may
 * be NULL.
 */
void gf_notice(struct gf_notices *n, enum gf_notice_level level, const char *kind, const char *name,
               const char *format, ...) GF_PRINTF(5, 6);
#define gf_warn(n, kind, name, ...) gf_notice(n, GF_WARNING, kind, name, __VA_ARGS__)
#define gf_warn_loss(n, kind, name, ...) gf_notice(n, GF_LOSS, kind, name, __VA_ARGS__)
#define gf_note(n, kind, name, ...) gf_notice(n, GF_NOTE, kind, name, __VA_ARGS__)
/* Adds a note about a folder that was created, unless there is one about a folder above it. */
void gf_note_folder(struct gf_notices *n, const char *folder);

/*
 * Fails if there is a warning and --strict is given; otherwise prints the notices of an `at_once`
 * collection. Call it before anything is written, and before an output replaces a file.
 */
int gf_notices_check(struct gf_notices *n, struct gf_error *err) GF_MUST_CHECK;
/* Returns true if warnings are errors. */
bool gf_notices_strict(const struct gf_notices *n);
/* Returns true if the collection of an input has a loss. */
bool gf_notices_lost(struct gf_notices *n);
/* Prints the notices that have not been printed yet. */
void gf_notices_print(struct gf_notices *n);

#endif
