/* Translates a command line as FFmpeg, ImageMagick, SoX or vips would take it into one of gpufilter. */
#include "cli/cli_translate.h"

#include "base/path.h"
#include "chain/chain.h"
#include "chain/foreign.h"
#include "cli/cli.h"
#include "cli/cli_options.h"
#include "base/shell_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 64

/* The parts of the command, in the order in which they are written. */
struct translation {
    const struct gf_cli_option *rows;
    char *const *next;                           /* the argument at hand */
    const char *file[WORDS_MAX];                 /* without an option */
    const char *input[WORDS_MAX];                /* after -i */
    int files, inputs;
    const char *output;
    const char *from, *to, *length;              /* -ss, -to and -t of FFmpeg */
    bool seeks;                                  /* -ss is before the input: FFmpeg counts a later -to from there */
    const char *rate;                            /* -r of SoX, which it applies last */
    const char *operation;                       /* of vips: its values follow the files */
    struct gf_foreign_settings settings;
    struct gf_foreign_words stages, options;
};

/* ---- arguments ---- */

static bool exists(const char *word)
{
    return access(word, F_OK) == 0;
}

/* True if the word can be the name of a file: it has an extension that is read or written, or it exists. */
static bool is_file(const char *word)
{
    if (strcmp(word, "-") == 0)
        return true;
    if (strpbrk(word, ":=") != NULL || strpbrk(word, "./") == NULL
        || (isdigit((unsigned char)word[0]) && !exists(word)))
        return false;
    return exists(word) || gf_reader_kinds(word) != 0 || gf_writer_takes(word, GF_IMAGE, false)
        || gf_writer_takes(word, GF_AUDIO, false)
        || gf_writer_takes(word, GF_IMAGE, true);
}

/* True if the word can be a value that follows an effect: a number, or the letter of a shape or flag. */
static bool is_value(const char *word)
{
    const char *digits = word + strspn(word, "+-=");

    if (is_file(word))
        return false;
    return isdigit((unsigned char)digits[*digits == '.']) || (strlen(word) == 1 && strchr("tqhlp", *word) != NULL)
        || strcmp(word, "-n") == 0 || strcmp(word, "-v") == 0;
}

static bool put_file(const char **files, int *count, const char *name)
{
    if (name == NULL || *count == WORDS_MAX)
        return false;
    files[(*count)++] = name;
    return true;
}

/* ---- stages ---- */

static bool put_graph(struct translation *t, const char *graph)
{
    char stages[500];

    return graph != NULL && gf_chain_advise(graph, 0, stages, sizeof stages)
        && gf_foreign_put(&t->stages, "%s", stages);
}

/* A filter of FFmpeg with two inputs; the second becomes a value of the stage. */
static bool put_second(struct translation *t, const char *graph)
{
    if (t->inputs != 2 || !gf_foreign_second(graph, t->input[1], &t->stages))
        return false;
    t->inputs = 1;
    return true;
}

/* ImageMagick's -composite: the last file is put over the others. */
static bool put_composite(struct translation *t)
{
    if (t->files < 2 || !gf_foreign_composite(t->file[t->files - 1], &t->settings, &t->stages))
        return false;
    t->files--;
    return true;
}

/* An effect or an operation with `count` values. */
static bool put_effect(struct translation *t, const char *name, char *const *values, int count, bool vips)
{
    char word[200];

    if (gf_foreign_effect(name, (const char *const *)values, count, vips, &t->stages))
        return true;
    if (strcmp(name, "echo") == 0 && count > 2)   /* SoX begins with two gains, the stage with a delay */
        return false;
    snprintf(word, sizeof word, "%s", name);
    for (int i = 0; i < count; i++)
        snprintf(word + strlen(word), sizeof word - strlen(word), "%s%s", i == 0 ? ":" : ",", values[i]);
    return put_graph(t, word);
}

/* A word without a dash: a stage, perhaps with values in the arguments after it. */
static bool take_word(struct translation *t)
{
    char *const *values = t->next + 1;
    int count = 0;

    if (strpbrk(*t->next, ":=,") != NULL)
        return put_graph(t, *t->next);
    if (t->files == 0 && t->inputs == 0 && values[0] != NULL && is_file(values[0]) && t->operation == NULL) {
        t->operation = *t->next;
        return true;
    }
    while (values[count] != NULL && is_value(values[count]))
        count++;
    t->next += count;
    return put_effect(t, values[-1], values, count, false);
}

/* ---- options ---- */

/* Returns how many arguments an option takes that changes nothing here, itself included; otherwise 0. */
static int count_superfluous(const char *word, const char *value)
{
    static const char *const words[] = { "-y", "-vn", "-an", "-hide_banner", "-nostdin", "+repage", "-repage", NULL };
    /* the name of the output chooses the format and the codec */
    static const char *const with_value[] = { "-c:a", "-c:v", "-codec:a", "-codec:v", "-acodec", "-vcodec",
                                              "-loglevel", "-threads", "-frames:v", NULL };

    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return 1;
    for (int i = 0; value != NULL && with_value[i] != NULL; i++)
        if (strcmp(with_value[i], word) == 0)
            return 2;
    return value != NULL && strcmp(word, "-f") == 0 && strcmp(value, "null") == 0 ? 2 : 0;
}

/*
 * An option that takes a value, which FFmpeg or SoX applies as a filter. Returns 0 if it is none,
 * -1 if it has no translation.
 */
static int take_filter_option(struct translation *t, const char *word, const char *value)
{
    static const char *const graphs[] = { "-vf", "-af", "-filter:v", "-filter:a", "-filter", "-filter_complex",
                                          "-lavfi", NULL };
    const struct { const char *word; const char **member; } kept[] = {
        { "-ss", &t->from }, { "-to", &t->to }, { "-t", &t->length }, { "-r", &t->rate },
        { "-gravity", &t->settings.gravity },
        { "-background", &t->settings.background }, { "-bordercolor", &t->settings.background },
    };

    if (value == NULL)
        return 0;
    for (int i = 0; graphs[i] != NULL; i++)
        if (strcmp(graphs[i], word) == 0)
            return put_graph(t, value) || put_second(t, value) ? 1 : -1;
    if (strcmp(word, "-geometry") == 0 && strchr("+-", *value) != NULL) {
        t->settings.offset = value;
        return 1;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(kept[i].word, word) == 0 && (strlen(word) > 2 || isdigit((unsigned char)*value))) {
            *kept[i].member = value;
            if (kept[i].member == &t->from)
                t->seeks = t->inputs == 0;
            if (kept[i].member == &t->to && t->seeks && t->inputs > 0) {
                t->length = value;
                t->to = NULL;
            }
            return 1;
        }
    if (strcmp(word, "-ar") == 0)
        return gf_foreign_put(&t->stages, "resample:%s", value) ? 1 : -1;
    if (strcmp(word, "-ac") == 0 || strcmp(word, "-c") == 0)
        return strcmp(value, "1") == 0 && gf_foreign_put(&t->stages, "mono") ? 1 : -1;
    if (strcmp(word, "-s") == 0)
        return gf_foreign_put(&t->stages, "resize:%s", value) ? 1 : -1;
    if (strcmp(word, "-map_metadata") == 0)
        return strcmp(value, "-1") == 0 && gf_foreign_put(&t->options, "--strip") ? 1 : -1;
    if (strcmp(word, "-b") == 0)
        return strtol(value, NULL, 10) >= 8 && gf_foreign_put(&t->options, "--depth %s", value) ? 1 : -1;
    return 0;
}

/* gpufilter's own option, with its value. Returns false if it is none. */
static bool take_own_option(struct translation *t, const char *word)
{
    const bool is_long = word[1] == '-';
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);

    for (const struct gf_cli_option *row = t->rows; row->name != NULL; row++) {
        const char *value = t->next[1];

        if (is_long ? strlen(row->name) != length - 2 || strncmp(row->name, word + 2, length - 2) != 0
            : row->letter == '\0' || word[1] != row->letter || word[2] != '\0')
            continue;
        if (row->argument == NULL || row->optional || equals != NULL)
            return gf_foreign_put(&t->options, "%s", word);
        if (value == NULL || strpbrk(value, " \t") != NULL)
            return false;
        t->next++;
        if (strcmp(row->name, "input") == 0)
            return put_file(t->input, &t->inputs, value);
        if (strcmp(row->name, "output") != 0)
            return gf_foreign_put(&t->options, "%s %s", word, value);
        t->output = value;
        return true;
    }
    return false;
}

/* A stage or an option of ImageMagick after one dash, or a stage after two. */
static bool take_dashed_stage(struct translation *t, const char *word)
{
    const bool single = word[1] != '-';
    const char *name = word + (single ? 1 : 2), *value = t->next[1];
    const int values = single ? gf_foreign_magick_values(name) : -1;
    struct gf_foreign_words found = { "" };
    char both[300];

    if (values >= 0) {
        if (!gf_foreign_magick(name, values > 0 ? value : NULL, &t->settings, &found))
            return false;
        t->next += values;
        return found.text[0] == '\0' || gf_foreign_put(found.text[0] == '-' ? &t->options : &t->stages, "%s",
                                                       found.text);
    }
    if (strpbrk(name, ":=") == NULL && value != NULL && !is_file(value)) {
        snprintf(both, sizeof both, "%s:%s", name, value);
        if (put_graph(t, both)) {
            t->next++;
            return true;
        }
    }
    return put_graph(t, name);
}

static bool take_option(struct translation *t)
{
    const char *word = *t->next;
    const int superfluous = count_superfluous(word, t->next[1]), taken = superfluous > 0 ? 0
        : take_filter_option(t, word, t->next[1]);

    if (superfluous > 0) {
        t->next += superfluous - 1;
        return true;
    }
    if (taken != 0) {
        t->next++;
        return taken > 0;
    }
    if (strcmp(word, "-composite") == 0)
        return put_composite(t);
    return take_own_option(t, word) || take_dashed_stage(t, word);
}

/* The values of an operation of vips are all that follows the files. */
static bool take_operation(struct translation *t)
{
    int count = 0;

    while (t->next[count] != NULL)
        count++;
    if (!put_effect(t, t->operation, t->next, count, true))
        return false;
    t->next += count;
    return true;
}

static bool take_all(struct translation *t)
{
    static const char *const programs[] = { "convert", "magick", "mogrify", "ffmpeg", "sox", "vips", NULL };

    for (int i = 0; programs[i] != NULL && *t->next != NULL; i++)
        if (strcmp(programs[i], *t->next) == 0) {
            t->next++;
            break;
        }
    for (; *t->next != NULL; t->next++) {
        const char *word = *t->next;

        if (is_file(word) ? !put_file(t->file, &t->files, word)
                          : t->operation != NULL ? !take_operation(t)
                                                 : word[0] == '-' || word[0] == '+' ? !take_option(t) : !take_word(t))
            return false;
        if (*t->next == NULL)
            return true;
    }
    return t->operation == NULL || take_operation(t);
}

/* ---- the command ---- */

/* The last file without an option is the output. If it exists, the output is out/: only -o may replace a file. */
static void name_output(struct translation *t)
{
    const char *last = t->files > 0 ? t->file[t->files - 1] : NULL;

    if (t->output != NULL || last == NULL || (t->files + t->inputs < 2 && (exists(last) || strcmp(last, "-") == 0)))
        return;
    if (strcmp(last, "-") == 0 || !exists(last)) {
        t->output = last;
        t->files--;
    } else {
        t->output = "out/";
    }
}

/* The part that -ss, -to and -t cut out comes first, a new rate last. */
static bool name_times(struct translation *t)
{
    const struct gf_foreign_words rest = t->stages;
    const bool cut = t->from != NULL || t->to != NULL || t->length != NULL;

    if (cut) {
        t->stages.text[0] = '\0';
        if (!gf_foreign_put(&t->stages, "trim:%s%s%s", t->from != NULL ? t->from : "0", t->to != NULL ? ","
                            : t->length != NULL ? ",+" : "",
                            t->to != NULL ? t->to : t->length != NULL ? t->length : "")
            || (rest.text[0] != '\0' && !gf_foreign_put(&t->stages, "%s", rest.text)))
            return false;
    }
    return t->rate == NULL || gf_foreign_put(&t->stages, "resample:%s", t->rate);
}

static bool print_line(const struct translation *t, struct gf_shell_line *line)
{
    gf_shell_line_put(line, "gpufilter");
    for (int i = 0; i < t->inputs; i++)
        gf_shell_line_put_name(line, " -i ", t->input[i]);
    for (int i = 0; i < t->files; i++)
        gf_shell_line_put_name(line, " -i ", t->file[i]);
    gf_shell_line_put(line, t->stages.text[0] != '\0' ? " " : "");
    gf_shell_line_put(line, t->stages.text);
    gf_shell_line_put(line, t->options.text[0] != '\0' ? " " : "");
    gf_shell_line_put(line, t->options.text);
    if (t->output != NULL)
        gf_shell_line_put_name(line, " -o ", t->output);
    return !line->full;
}

/* Returns the kinds of the first input, from its name; 0 if they are unknown. */
static unsigned find_kinds(const struct translation *t)
{
    return t->inputs > 0 ? gf_reader_kinds(t->input[0]) : t->files > 0 ? gf_reader_kinds(t->file[0]) : 0;
}

int gf_cli_translate(const struct gf_cli_program *program, char *const *argv, const char *word, struct gf_error *err)
{
    struct translation *t = calloc(1, sizeof *t);
    struct gf_shell_line line = { .text = "" };

    if (t == NULL)
        return -1;
    t->rows = program->options;
    t->next = argv + 1;
    if (program->ask == GF_ASK_RUN && take_all(t) && name_times(t)) {
        name_output(t);
        if (t->files + t->inputs > 0 && gf_chain_is_right(t->stages.text, find_kinds(t)) && print_line(t, &line)) {
            if (word != NULL)
                gf_fail(err, GF_MISUSED, "unknown option %.80s", word);
            gf_error_advise(err, "write: %s", line.text);
            err->cause = GF_CAUSE_FOREIGN;
        }
    }
    free(t);
    return -1;
}
