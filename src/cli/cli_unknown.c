/* Errors about unknown options: options of other programs, values of stages, misspelled options. */
#include "cli/cli_unknown.h"

#include "base/words.h"
#include "chain/chain_advice.h"
#include "chain/option.h"
#include "cli/cli_options.h"
#include "cli/cli_translate.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reports a stage that is written as an option. Returns 0 if no stage is called `name`. */
static int fail_dashed_stage(const char *dashes, const char *name, const char *word, char *const *argv, int at,
                             struct gf_error *err)
{
    const char *next = argv[at + 1], *value = word + strlen(name), *joint = *value == '=' ? ":" : "";
    const struct gf_foreign_typed typed = { .name = name, .values = *value != '\0' ? value + 1 : NULL,
                                            .after = argv + at + 1 };
    const char *hint = gf_foreign_explain(&typed, gf_cli_kinds_of(argv));
    char stage[160];

    if (hint == NULL)
        return 0;
    if (gf_foreign_is_clause(hint))
        return gf_fail(err, GF_MISUSED, "unknown option %s%s; %s", dashes, name, hint);
    if (strcmp(hint, name) != 0)
        return gf_fail(err, GF_MISUSED, "unknown option %s%s; a stage has no dash, and this one is called %s", dashes,
                       name, hint);
    if (next != NULL && *value == '\0' && gf_chain_is_value(name, next)) {
        snprintf(stage, sizeof stage, "%s:%.80s", name, next);
        if (!gf_chain_is_right(stage, 0))
            return gf_fail(err, GF_MISUSED, "unknown option %s%s;; a stage has no dash; gpufilter --help %s shows its "
                           "values", dashes, name, name);
        return gf_fail(err, GF_MISUSED, "unknown option %s%s; a stage has no dash: %s", dashes, name, stage);
    }
    return gf_fail(err, GF_MISUSED, "unknown option %s%s; a stage has no dash: %s%s%.80s", dashes, name,
                   name, joint,
                   value + (*value == '='));
}

static int fail_option(const struct gf_cli_program *program, char *const *argv, int at, size_t length,
                       struct gf_error *err)
{
    const char *word = argv[at] + 2;
    const char *names[64], *near, *instead;
    char name[64];
    int count = 0;

    for (const struct gf_cli_option *row = program->options; row->name != NULL && count < 63; row++)
        if (row->text != NULL)
            names[count++] = row->name;
    names[count] = NULL;
    snprintf(name, sizeof name, "--%.*s", (int)(length < 60 ? length : 60), word);
    instead = gf_foreign_hint(name, 0);
    if (instead != NULL)
        return gf_fail(err, GF_MISUSED, "unknown option %s; %s", name, instead);
    name[2 + strcspn(name + 2, ":")] = '\0';
    if (fail_dashed_stage("--", name + 2, word, argv, at, err) != 0)
        return -1;
    near = gf_nearest_word(name + 2, names);
    if (near != NULL)
        return gf_fail(err, GF_MISUSED, "unknown option %s;; did you mean --%s?", name, near);
    return gf_fail(err, GF_MISUSED, "unknown option %s (see %s --help)", name, program->name);
}

int gf_cli_unknown_option(const struct gf_cli_program *program, char *const *argv, int at, size_t length,
                          struct gf_error *err)
{
    fail_option(program, argv, at, length, err);
    return gf_cli_translate(program, argv, argv[at], true, err);
}

static int fail_letter(const struct gf_cli_program *program, const char *before, const char *word, char letter,
                       struct gf_error *err)
{
    const char *instead = gf_foreign_hint(word, 0);

    if (gf_chain_is_value(before, word))
        return gf_fail(err, GF_MISUSED, "unknown option %.80s; write %.80s%s%.80s", word, before,
                       gf_chain_separator(before), word);
    if (instead != NULL)
        return gf_fail(err, GF_MISUSED, "unknown option %.80s; %s", word, instead);
    if (strchr("0123456789.", letter) != NULL)
        return gf_fail(err, GF_MISUSED, "unknown option -%c; put a stage with blanks in quotes: 'conv:[0 -1 0; -1 5 "
                                        "-1; 0 -1 0]'", letter);
    if ((word[1] == letter && word[2] != '\0') || letter == ':')
        return gf_fail(err, GF_MISUSED, "unknown option %.80s (see %s --help)", word, program->name);
    return gf_fail(err, GF_MISUSED, "unknown option -%c (see %s --help)", letter, program->name);
}

int gf_cli_unknown_letter(const struct gf_cli_program *program, char *const *argv, int at, char letter,
                          struct gf_error *err)
{
    fail_letter(program, at > 1 ? argv[at - 1] : NULL, argv[at], letter, err);
    return gf_cli_translate(program, argv, argv[at], true, err);
}

/* ---- the syntax of other programs ---- */

static const struct gf_cli_option *row_of_letter(const struct gf_cli_option *row, char letter)
{
    while (row->name != NULL && row->letter != letter)
        row++;
    return row->name != NULL ? row : NULL;
}

/* Reports `-q 80`: the letter has no value, but a long option that begins with it has one. */
static int fail_stray_value(const struct gf_cli_option *rows, const char *flag, const char *value, struct gf_error *err)
{
    const struct gf_cli_option *row = row_of_letter(rows, flag[1]), *meant = rows;
    double number;

    if (row == NULL || row->argument != NULL || gf_parse_number(value, &number) != 0)
        return 0;
    while (meant->name != NULL && !(meant->name[0] == flag[1] && meant->argument != NULL
                                    && strcmp(meant->argument, "N") == 0))
        meant++;
    gf_fail(err, GF_MISUSED, "'%.40s' follows %s, which is --%s and takes no value", value, flag, row->name);
    if (meant->name != NULL)
        gf_error_advise_shell(err, "did you mean --%s %.40s?", meant->name, value);
    return -1;
}

/* Reports `-resize 50%`, `-negate` or `-quality 80`: a stage or a long option after one dash. */
static int fail_single_dash(const struct gf_cli_option *rows, char *const *argv, int at, struct gf_error *err)
{
    const char *word = argv[at];
    const struct gf_cli_option *row = row_of_letter(rows, word[1]);
    char name[40];

    if (word[1] == 'o' || strlen(word) < 4 || (row != NULL && row->argument != NULL && !row->optional
                                               && access(word + 2, F_OK) == 0))
        return 0;                                /* the rest is the value of the letter, as in getopt */
    snprintf(name, sizeof name, "%.*s", (int)(strcspn(word + 1, ":=") < 39 ? strcspn(word + 1, ":=") : 39), word + 1);
    for (row = rows; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0)
            return gf_fail(err, GF_MISUSED, "unknown option -%s;; did you mean --%s?", name, name);
    return fail_dashed_stage("-", name, word + 1, argv, at, err);
}

static bool is_format(const char *word)
{
    for (const char *const *name = gf_reader_names(); *name != NULL; name++)
        if (strcmp(*name, word) == 0)
            return true;
    return false;
}

/* Reports options of FFmpeg whose letters are options of gpufilter, too: -t, -to, -r, -vf, ... */
static int fail_ffmpeg_option(const char *word, const char *next, struct gf_error *err)
{
    double number;

    if (strcmp(word, "-hide_banner") == 0 || strcmp(word, "-nostdin") == 0)
        return gf_fail(err, GF_MISUSED, "unknown option %s", word);
    if (next != NULL && (strncmp(word, "-filter", 7) == 0 || (strcmp(word, "-vf") == 0 && !is_format(next))))
        return gf_fail(err, GF_MISUSED, "unknown option %s; each stage is an argument of its own: NAME:VALUE", word);
    if (next == NULL || next[0] < '0' || next[0] > '9')
        return 0;
    if (strcmp(word, "-t") == 0 || strcmp(word, "-to") == 0)
        return gf_fail(err, GF_MISUSED, "%s %.40s: no such format; a part of a recording is a stage: trim:0,%.40s",
                       word, next, next);
    if (strcmp(word, "-r") == 0 && gf_parse_number(next, &number) == 0 && number > 1000)
        return gf_fail(err, GF_MISUSED, "-r %.40s: more than 1000 images per second; the rate of audio is a stage: "
                                        "resample:%.40s", next, next);
    return 0;
}

int gf_cli_unknown_syntax(const struct gf_cli_program *program, char *const *argv, int at, struct gf_error *err)
{
    const char *word = argv[at], *before = at > 1 ? argv[at - 1] : "";

    if (word[0] != '-') {
        if (before[0] != '-' || before[1] == '-' || strlen(before) != 2
            || fail_stray_value(program->options, before, word, err) == 0)
            return 0;
        return gf_cli_translate(program, argv, NULL, false, err);
    }
    if (word[1] == '-' || word[1] == '\0')
        return 0;
    if (fail_ffmpeg_option(word, argv[at + 1], err) != 0)
        return gf_cli_translate(program, argv, NULL, true, err);
    return fail_single_dash(program->options, argv, at, err) == 0 ? 0
        : gf_cli_translate(program, argv, word, false, err);
}
