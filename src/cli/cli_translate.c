/* Translates a command line as FFmpeg, ImageMagick, SoX or vips would take it into one of gpufilter. */
#include "cli/cli_translate.h"

#include "base/path.h"
#include "base/shell_line.h"
#include "chain/chain_advice.h"
#include "cli/cli.h"
#include "cli/cli_options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_MAX 64

/* Programs whose commands are translated, and how they differ. */
static const struct program {
    const char *name;
    const char *ignored;                         /* an argument that says that no file is written */
    const char *output;                          /* if no folder is named; otherwise the last file is the output */
    const char *option;                          /* ours; all files are inputs */
    const char *stage;                           /* if none is named */
    unsigned whose;                              /* its options are those of vips, not of FFmpeg and SoX */
    bool overlays;                               /* the first file is put over the second */
} programs[] = {
    { .name = "convert" }, { .name = "magick" }, { .name = "ffmpeg" }, { .name = "vips" },
    { .name = "sox", .ignored = "-n" }, { .name = "mogrify", .output = "out/" },
    { .name = "composite", .overlays = true }, { .name = "identify", .option = "--info" },
    { .name = "ffprobe", .option = "--info" }, { .name = "soxi", .option = "--info" },
    { .name = "vipsheader", .option = "--info" }, { .name = "vipsthumbnail", .whose = GF_VIPS,
      .output = "tn_{stem}.jpg", .stage = "resize:128x128,fit=inside" }, { .name = NULL }
};

/* The parts of the command, in the order in which they are written. */
struct translation {
    const struct program *program;               /* named first; or the last row, which has no name */
    const struct gf_cli_option *rows;
    char *const *next;                           /* the argument at hand */
    const char *file[WORDS_MAX];                 /* without an option */
    const char *input[WORDS_MAX];                /* after -i */
    int files, inputs;
    const char *output;
    char written[600];                           /* the output of mogrify -path, or with {stem} for %s of vips */
    bool seeks;                                  /* -ss is before the input: FFmpeg counts a later -to from there */
    const char *operation;                       /* of vips: its values follow the files */
    struct gf_foreign_settings settings;
    struct gf_foreign_words stages, options, left_out;
    bool acts;                                   /* a file was before the last word that is none */
    bool replaces;                               /* the last file is the output for certain, even if it exists */
    const char *failed;                          /* the word that has no translation; NULL: all have one */
};

/* ---- arguments ---- */

static bool exists(const char *word)
{
    return access(word, F_OK) == 0;
}

/* Returns the number in a name, %d or %03d; NULL: it has none. */
static const char *find_number(const char *name)
{
    const char *const number = strchr(name, '%');

    return number != NULL && number[1 + strspn(number + 1, "0123456789")] == 'd' ? number : NULL;
}

/* True for a video that only FFmpeg reads and writes. */
static bool is_film(const char *name)
{
    struct gf_error ignored = { 0 };

    return gf_writer_check_frames(name, &ignored) != 0;
}

/* True if the word can be the name of a file: it has an extension that is read or written, or it exists. */
static bool is_file(const char *word)
{
    if (strcmp(word, "-") == 0)
        return true;
    if (strpbrk(word, ":=") != NULL || strpbrk(word, "./") == NULL
        || (isdigit((unsigned char)word[0]) && !exists(word)))
        return false;
    return exists(word) || is_film(word) || gf_reader_kinds(word) != 0 || gf_writer_takes(word, GF_IMAGE, false)
        || gf_writer_takes(word, GF_AUDIO, false)
        || gf_writer_takes(word, GF_IMAGE, true);
}

/* True if the word can be a value that follows an effect: a number, a shape, a flag, or - of remix. */
static bool is_value(const char *effect, const char *word)
{
    const char *digits = word + strspn(word, "+-=");

    if (strcmp(word, "-") == 0)
        return strcmp(effect, "remix") == 0;
    if (is_file(word))
        return false;
    return isdigit((unsigned char)digits[*digits == '.']) || (strlen(word) == 1 && strchr("tqhlp", *word) != NULL)
        || strcmp(word, "-n") == 0 || strcmp(word, "-v") == 0
        || (strcmp(effect, "sinc") == 0 && (strcmp(word, "-a") == 0 || strcmp(word, "-t") == 0));
}

static bool put_file(const char **files, int *count, const char *name)
{
    if (name == NULL || *count == WORDS_MAX)
        return false;
    files[(*count)++] = name;
    return true;
}

/* A file that a value of a stage can name without quotes. */
static void set_second(struct translation *t, const char *file)
{
    if (strpbrk(file, " \t,=:'\"{}") == NULL)
        gf_foreign_set(&t->settings, 'F', file);
}

/* ---- stages ---- */

/* Translates a word with `count` values: its stages, or its option. */
static bool put_call(struct translation *t, unsigned whose, const char *name, const char *const *values, int count)
{
    const struct gf_foreign_call call = { whose, name, NULL, values, count };
    struct gf_foreign_words found = { "" };

    if (!gf_chain_translate(&call, 0, &t->settings, &found))
        return false;
    if (strcmp(found.text, "-") == 0)
        return gf_foreign_put(&t->left_out, name);
    return gf_foreign_put(found.text[0] == '-' ? &t->options : &t->stages, found.text);
}

/* A graph of FFmpeg, perhaps with names of inputs, "[0:v][1:v]overlay". The second input becomes a value of a stage. */
static bool put_graph(struct translation *t, unsigned whose, const char *graph)
{
    char text[300];
    bool right;

    if (strchr(graph, ';') != NULL) {
        snprintf(t->settings.failed, sizeof t->settings.failed, ";");
        return false;
    }
    while (*graph == '[' && strchr(graph, ']') != NULL)
        graph = strchr(graph, ']') + 1;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(graph, "["), graph);
    if (t->inputs == 2)
        set_second(t, t->input[1]);
    right = gf_chain_advise(text, whose, 0, &t->settings, &t->stages);
    if (right && t->inputs == 2 && gf_foreign_setting(&t->settings, 'F') == NULL)
        t->inputs = 1;
    return right;
}

/* An effect of SoX or an operation of vips. One that is unknown may be a stage with these values. */
static bool put_effect(struct translation *t, unsigned whose, const char *name, char *const *values, int count)
{
    char word[200];

    if (put_call(t, whose, name, (const char *const *)values, count))
        return true;
    if (strcmp(name, "echo") == 0 && count > 2)   /* SoX begins with two gains, the stage with a delay */
        return false;
    snprintf(word, sizeof word, "%s", name);
    for (int i = 0; i < count; i++)
        snprintf(word + strlen(word), sizeof word - strlen(word), "%s%s", i == 0 ? ":" : ",", values[i]);
    return put_graph(t, 0, word);
}

/* A word without a dash: a stage, perhaps with values in the arguments after it. */
static bool take_word(struct translation *t)
{
    char *const *values = t->next + 1;
    int count = 0;

    if (strcmp(*t->next, ":") == 0)              /* between two chains of SoX */
        return true;
    if (strpbrk(*t->next, ":=,") != NULL)
        return put_graph(t, 0, *t->next);
    if (t->files == 0 && t->inputs == 0 && values[0] != NULL && is_file(values[0]) && t->operation == NULL) {
        t->operation = *t->next;
        return true;
    }
    while (values[count] != NULL && is_value(*t->next, values[count]))
        count++;
    t->next += count;
    t->replaces = t->files == 2 && gf_foreign_has(GF_SOX, *(values - 1));    /* effects follow the files */
    return put_effect(t, GF_SOX | GF_FOR(GF_AUDIO), values[-1], values, count);
}

/* ---- options ---- */

/* An option of FFmpeg or SoX. Returns how many arguments it takes; 0 if it is none. */
static int take_their_option(struct translation *t, const char *word, const char *value)
{
    const bool had_end = gf_foreign_setting(&t->settings, 'T') != NULL;
    const unsigned whose = t->program->whose != 0 ? t->program->whose : GF_FFMPEG | GF_SOX;
    const int count = value != NULL && put_call(t, whose, word, &value, 1) ? 2 : put_call(t, whose, word, NULL, 0);

    if (count == 2 && strcmp(word, "-ss") == 0)
        t->seeks = t->inputs == 0;
    if (!had_end && t->seeks && t->inputs > 0 && gf_foreign_setting(&t->settings, 'T') != NULL) {
        gf_foreign_set(&t->settings, 'L', value);
        t->settings.set['T' - 'A'] = false;
    }
    return count;
}

/* gpufilter's own option, with its value. Returns false if it is none. */
static bool take_own_option(struct translation *t, const char *word)
{
    const bool is_long = word[1] == '-';
    const char *equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    char both[300];

    for (const struct gf_cli_option *row = t->rows; row->name != NULL; row++) {
        const char *value = t->next[1];

        if (is_long ? strlen(row->name) != length - 2 || strncmp(row->name, word + 2, length - 2) != 0
            : row->letter == '\0' || word[1] != row->letter || word[2] != '\0')
            continue;
        if (row->argument == NULL || row->optional || equals != NULL)
            return gf_foreign_put(&t->options, word);
        if (value == NULL || strpbrk(value, " \t") != NULL)
            return false;
        t->next++;
        if (strcmp(row->name, "input") == 0)
            return put_file(t->input, &t->inputs, value);
        if (strcmp(row->name, "output") == 0)
            return (t->output = value) != NULL;
        snprintf(both, sizeof both, "%s %s", word, value);
        return gf_foreign_put(&t->options, both);
    }
    return false;
}

/* ImageMagick's -composite puts the last file over the others, the program composite the first one. */
static bool take_composite(struct translation *t, int over)
{
    if (t->files < 2)
        return false;
    set_second(t, t->file[over]);
    memmove(t->file + over, t->file + over + 1, (size_t)(t->files - over - 1) * sizeof *t->file);
    t->files--;
    return put_call(t, GF_MAGICK, "composite", NULL, 0);
}

/* A stage or an option of ImageMagick after one dash, or a stage after two. */
static bool take_dashed_stage(struct translation *t, const char *word)
{
    const bool single = word[1] != '-';
    const char *name = word + (single ? 1 : 2), *value = t->next[1];
    const int values = single ? gf_foreign_magick_values(name) : -1;
    char both[300];

    if (single && strcmp(name, "composite") == 0)
        return take_composite(t, t->files - 1);
    if (single && strcmp(name, "append") == 0)
        return gf_foreign_put(&t->stages, *word == '+' ? "append:x" : "append:y");
    if (values >= 0) {
        const int there = values == 2 && value != NULL && t->next[2] == NULL ? 1 : value != NULL ? values : 0;

        t->next += there;
        return put_call(t, GF_MAGICK, name, (const char *const *)t->next + 1 - there, there);
    }
    if (strpbrk(name, ":=") == NULL && value != NULL && !is_file(value)) {
        snprintf(both, sizeof both, "%s:%s", name, value);
        if (put_graph(t, 0, both)) {
            t->next++;
            return true;
        }
    }
    return put_graph(t, 0, name);
}

/* True for options of FFmpeg whose value is a graph of filters. */
static bool is_graph_option(const char *word)
{
    static const char *const graphs[] = { "-vf", "-af", "-filter:v", "-filter:a", "-filter", "-filter_complex",
                                          "-lavfi", NULL };
    int i = 0;

    while (graphs[i] != NULL && strcmp(graphs[i], word) != 0)
        i++;
    return graphs[i] != NULL;
}

static bool take_option(struct translation *t)
{
    const char *word = *t->next, *value = t->next[1];
    int count = 0;

    if (is_graph_option(word) && value != NULL)
        return put_graph(t, GF_FFMPEG, *++t->next);
    count = take_their_option(t, word, value);
    t->next += count > 0 ? count - 1 : 0;
    return count > 0 || take_own_option(t, word) || take_dashed_stage(t, word);
}

/* The values of an operation of vips are all that follows the files. The second of three files is put on top. */
static bool take_operation(struct translation *t)
{
    int count = 0;

    while (t->next[count] != NULL)
        count++;
    if (t->files == 3)
        set_second(t, t->file[1]);
    if (!put_effect(t, GF_VIPS | GF_FOR(GF_IMAGE), t->operation, t->next, count)) {
        t->failed = t->operation;
        return false;
    }
    if (t->files == 3 && gf_foreign_setting(&t->settings, 'F') == NULL) {
        t->file[1] = t->file[2];
        t->files = 2;
    }
    t->next += count;
    return true;
}

/* Returns the row of a program, or the last one. NULL is fine. */
static const struct program *program_of(const char *word)
{
    const struct program *row = programs;

    while (word != NULL && row->name != NULL && strcmp(row->name, word) != 0)
        row++;
    return word != NULL ? row : &programs[sizeof programs / sizeof *programs - 1];
}

bool gf_cli_is_program(const char *word)
{
    return program_of(word)->name != NULL;
}

/* Takes the word at hand, with the values after it. */
static bool take_one(struct translation *t, const char *word)
{
    t->failed = word;
    if (is_file(word)) {
        const bool added = put_file(t->file, &t->files, word);

        t->replaces = t->acts || (t->inputs > 0 && t->files == 1);
        return added;
    }
    t->replaces = false;
    t->acts = t->files > 0;
    if (t->operation != NULL)
        return take_operation(t);
    return word[0] == '-' || word[0] == '+' ? take_option(t) : take_word(t);
}

static bool take_all(struct translation *t)
{
    for (char *const *word = t->next; *word != NULL; word++)
        if (find_number(*word) != NULL)
            gf_foreign_set(&t->settings, 'N', "1");          /* parts of an image have numbers */
    t->program = program_of(*t->next);
    t->next += t->program->name != NULL;
    for (; *t->next != NULL; t->next++)
        if ((t->program->ignored == NULL || strcmp(*t->next, t->program->ignored) != 0) && !take_one(t, *t->next))
            return false;
        else if (*t->next == NULL)
            return true;
    if (t->program->overlays)
        return take_composite(t, 0);
    if (t->program->option != NULL)
        return gf_foreign_put(&t->options, t->program->option);
    if (t->program->stage != NULL && t->stages.text[0] == '\0')
        return gf_foreign_put(&t->stages, t->program->stage);
    return t->operation == NULL || take_operation(t);
}

/* ---- the command ---- */

/* The last file without an option is the output. If it exists and may not be replaced, out/ is. */
static void name_output(struct translation *t)
{
    const char *last = t->files > 0 ? t->file[t->files - 1] : NULL, *path = gf_foreign_setting(&t->settings, 'P');
    const char *stem = t->output != NULL ? strstr(t->output, "%s") : NULL;
    const bool named = t->program->name != NULL;

    if (stem != NULL)
        snprintf(t->written, sizeof t->written, "%.*s{stem}%s", (int)(stem - t->output), t->output, stem + 2);
    else if (path != NULL && t->output == NULL)
        snprintf(t->written, sizeof t->written, "%.*s/", (int)strlen(path) - (path[strlen(path) - 1] == '/'), path);
    t->output = t->written[0] != '\0' ? t->written : t->output != NULL ? t->output : t->program->output;
    if (t->output != NULL || t->program->option != NULL || last == NULL
        || (t->files + t->inputs < 2 && (named || exists(last) || strcmp(last, "-") == 0)))
        return;
    if (strcmp(last, "-") == 0 || named || t->replaces || !exists(last)) {
        t->output = last;
        t->files--;
    } else {
        t->output = "out/";
    }
}

/* Writes such a number of the output as {n} or {n:3}. */
static void number_output(struct translation *t)
{
    const char *const number = t->output != NULL && t->output != t->written ? find_number(t->output) : NULL;
    const int digits = number != NULL ? atoi(number + 1) : 0;
    char width[12] = "";

    if (number == NULL)
        return;
    if (digits > 0 && digits < 100)
        snprintf(width, sizeof width, ":%d", digits);
    snprintf(t->written, sizeof t->written, "%.*s{n%s}%s", (int)(number - t->output), t->output, width,
             strchr(number, 'd') + 1);
    t->output = t->written;
}

/* Returns the only input if it is a film, whose frames come from FFmpeg; or NULL. */
static const char *find_film(const struct translation *t)
{
    const char *const only = t->inputs + t->files != 1 ? NULL : t->inputs == 1 ? t->input[0] : t->file[0];

    return only != NULL && is_film(only) ? only : NULL;
}

/* The part that -ss, -to and -t cut out comes first, a new rate last. FFmpeg cuts a film. */
static bool name_times(struct translation *t)
{
    const char *from = gf_foreign_setting(&t->settings, 'S'), *to = gf_foreign_setting(&t->settings, 'T');
    const char *length = gf_foreign_setting(&t->settings, 'L'), *rate = gf_foreign_setting(&t->settings, 'R');
    const char *end = to != NULL ? to : length;
    const struct gf_foreign_words rest = t->stages;
    char text[300];

    if ((from != NULL || end != NULL) && find_film(t) == NULL) {
        snprintf(t->stages.text, sizeof t->stages.text, "trim:%s%s%s", from != NULL ? from : "0",
                 to != NULL ? "," : length != NULL ? ",+" : "", end != NULL ? end : "");
        if (!gf_foreign_put(&t->stages, rest.text))
            return false;
    }
    snprintf(text, sizeof text, "resample:%s", rate != NULL ? rate : "");
    return rate == NULL || gf_foreign_put(&t->stages, text);
}

/* Puts a film as an input of FFmpeg, with the part of it that is cut out. */
static void put_film(const struct translation *t, const char *film, struct gf_shell_line *line)
{
    static const struct { char letter; const char *option; } cuts[] = { { 'S', " -ss " }, { 'T', " -to " },
                                                                       { 'L', " -t " } };

    for (int i = 0; i < 3; i++)
        if (gf_foreign_setting(&t->settings, cuts[i].letter) != NULL)
            gf_shell_line_put_name(line, cuts[i].option, gf_foreign_setting(&t->settings, cuts[i].letter));
    gf_shell_line_put_name(line, " -i ", film);
}

/* Writes the command, and those of FFmpeg around one that filters the frames of a film. */
static bool print_line(const struct translation *t, struct gf_shell_line *line)
{
    const char *const film = find_film(t);
    const bool sound = t->output != NULL && gf_writer_takes(t->output, GF_AUDIO, false)
        && !gf_writer_takes(t->output, GF_IMAGE, false);

    if (film != NULL) {
        gf_shell_line_put(line, "ffmpeg");
        put_film(t, film, line);
        gf_shell_line_put(line, sound ? " -f wav - | " : " -f yuv4mpegpipe - | ");
    }
    gf_shell_line_put(line, "gpufilter");
    for (int i = 0; film == NULL && i < t->inputs; i++)
        gf_shell_line_put_name(line, " -i ", t->input[i]);
    for (int i = 0; film == NULL && i < t->files; i++)
        gf_shell_line_put_name(line, " -i ", t->file[i]);
    gf_shell_line_put(line, t->stages.text[0] != '\0' ? " " : "");
    gf_shell_line_put(line, t->stages.text);
    gf_shell_line_put(line, t->options.text[0] != '\0' ? " " : "");
    gf_shell_line_put(line, t->options.text);
    if (t->output != NULL && is_film(t->output)) {
        gf_shell_line_put(line, " -t y4m | ffmpeg -i -");
        if (film != NULL) {
            put_film(t, film, line);
            gf_shell_line_put(line, " -map 0:v -map '1:a?'");
        }
        gf_shell_line_put_name(line, " ", t->output);
    } else if (t->output != NULL) {
        gf_shell_line_put_name(line, " -o ", t->output);
    }
    return !line->full;
}

/* Returns the kinds of the first input, from its name; 0 if they are unknown. */
static unsigned find_kinds(const struct translation *t)
{
    return t->inputs > 0 ? gf_reader_kinds(t->input[0]) : t->files > 0 ? gf_reader_kinds(t->file[0]) : 0;
}

/* True if nothing of the command remains, and a hint says more about what is left out. */
static bool only_leaves_out(const struct translation *t)
{
    return t->left_out.text[0] != '\0' && t->stages.text[0] == '\0' && t->options.text[0] == '\0'
        && gf_foreign_hint(t->left_out.text, 0) != NULL;
}

/* True if one of the stages makes one image of all. */
static bool makes_one(const struct translation *t)
{
    return strstr(t->stages.text, "append:") != NULL || strstr(t->stages.text, "stack:") != NULL;
}

/* ---- what has no translation ---- */

unsigned gf_cli_kinds_of(char *const *argv)
{
    unsigned kinds = 0;

    for (int i = 1; argv[i] != NULL; i++)
        kinds |= strchr(argv[i], '.') != NULL ? gf_reader_kinds(argv[i]) : 0;
    return kinds;
}

/*
 * Copies the next filter of "-af", "gate", "a=1,b=2", and puts a zero between its name and its values. Returns what
 * follows it, or NULL at the end.
 */
static const char *next_filter(const char *graph, char *filter, size_t bytes, const char **values)
{
    graph += strspn(graph, "-+, ");
    if (*graph == '\0')
        return NULL;
    snprintf(filter, bytes, "%.*s", (int)strcspn(graph, ","), graph);
    *values = filter[strcspn(filter, ":= ")] != '\0' ? filter + strcspn(filter, ":= ") + 1 : NULL;
    filter[strcspn(filter, ":= ")] = '\0';
    return graph + strcspn(graph, ",");
}

/* Reports the first argument that names a filter without a counterpart. Returns false if there is none. */
static bool explain_absent(char *const *argv, struct gf_error *err)
{
    static const char absent[] = "there is no ";
    const unsigned kinds = gf_cli_kinds_of(argv);
    char filter[300];

    for (int i = 1; argv[i] != NULL; i++) {
        const bool is_graph = strcmp(argv[i - 1], "-af") == 0 || strcmp(argv[i - 1], "-vf") == 0
            || (strncmp(argv[i - 1], "-filter", 7) == 0 && strncmp(argv[i - 1], "-filter_", 8) != 0);
        struct gf_foreign_typed typed = { .name = filter, .graph = is_graph ? argv[i] : NULL, .after = argv + i + 1 };

        for (const char *rest = argv[i], *hint;
             (rest = next_filter(rest, filter, sizeof filter, &typed.values)) != NULL; ) {
            hint = gf_foreign_explain(&typed, kinds);
            if (hint == NULL || strncmp(hint, absent, sizeof absent - 1) != 0)
                continue;
            gf_fail(err, GF_MISUSED, gf_stage_find(filter, GF_IMAGE) == NULL && gf_stage_find(filter, GF_AUDIO) == NULL
                    ? "no stage is called '%s'; %s" : "there is no exact translation of '%s'; %s", filter, hint);
            err->cause = GF_CAUSE_FOREIGN;
            return true;
        }
    }
    return false;
}

/* Reports the part of the command that has no translation, unless the error is about it already, or it is our own. */
static void explain_failed(const struct translation *t, const char *word, unsigned kinds, struct gf_error *err)
{
    const bool is_graph = is_graph_option(t->failed), dashed = !is_graph && *t->failed == '-';
    const char *const part = is_graph ? t->settings.failed : t->failed;
    char name[120];
    const size_t length = strcspn(part, ":= ");
    const struct gf_foreign_typed typed = { .name = name, .values = part[length] != '\0' ? part + length + 1 : NULL,
                                            .graph = is_graph ? part : NULL };
    const char *hint;

    if ((!is_graph && (t->program->name == NULL || (word != NULL && strcmp(word, t->failed) == 0))) || *part == '\0')
        return;
    if (is_graph && strcmp(part, ";") == 0) {
        gf_fail(err, GF_MISUSED, "there is no graph with branches; stages follow one another, over:FILE and mix:FILE "
                "read a second file, and each frame of a GIF gets its best colors anyway");
        err->cause = GF_CAUSE_FOREIGN;
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)length - dashed, part + dashed);
    hint = gf_foreign_explain(&typed, kinds);
    if (hint == NULL && (word == NULL || is_graph))
        gf_fail(err, GF_MISUSED, "no stage is called '%s';; gpufilter --list shows all", name);
    else if (hint == NULL)
        return;
    else if (gf_foreign_is_clause(hint))
        gf_fail(err, GF_MISUSED, "there is no exact translation of '%s'; %s", part, hint);
    else if (strcmp(hint, name) == 0)
        gf_fail(err, GF_MISUSED, "there is no exact translation of '%s';; gpufilter --help %s shows the values of the "
                "stage", part, name);
    else
        gf_fail(err, GF_MISUSED, "there is no exact translation of '%s'; did you mean '%s'?", part, hint);
    err->cause = GF_CAUSE_FOREIGN;
}

int gf_cli_translate(const struct gf_cli_program *program, char *const *argv, const char *word, bool absent,
                     struct gf_error *err)
{
    struct translation *t = calloc(1, sizeof *t);
    struct gf_shell_line line = { .text = "" };

    if (t == NULL)
        return -1;
    t->rows = program->options;
    t->next = argv + 1;
    if (program->ask == GF_ASK_RUN && take_all(t)) {
        t->failed = NULL;
        name_output(t);
        number_output(t);
        if (t->files + t->inputs > 1 && strstr(t->options.text, "--rate ") != NULL)
            gf_foreign_put(&t->options, "--join");       /* images of an animation */
        if (t->files + t->inputs > 1 && !makes_one(t) && t->output != NULL && strstr(t->options.text, "--join") == NULL
            && strchr(t->output, '{') == NULL && t->output[strlen(t->output) - 1] != '/') {
            gf_fail(err, GF_MISUSED, "several inputs for one output; %s",
                    gf_foreign_hint("concat", find_kinds(t)));
            err->cause = GF_CAUSE_FOREIGN;
        } else if (t->files + t->inputs > 0 && name_times(t) && !only_leaves_out(t)
                   && gf_chain_is_right(t->stages.text, find_kinds(t)) && print_line(t, &line)) {
            if (word != NULL && *t->left_out.text != '\0')
                gf_fail(err, GF_MISUSED, "unknown option %.80s (left out: %.100s)", word, t->left_out.text);
            else if (word != NULL)
                gf_fail(err, GF_MISUSED, "unknown option %.80s", word);
            else if (*t->left_out.text != '\0')
                gf_fail(err, GF_MISUSED, "there is no %.100s here", t->left_out.text);
            gf_error_advise(err, "%s%swrite: %s", t->settings.remark != NULL ? t->settings.remark : "",
                            t->settings.remark != NULL ? "; " : "", line.text);
            err->cause = GF_CAUSE_FOREIGN;
        }
    }
    if (err->cause != GF_CAUSE_FOREIGN && !(absent && explain_absent(argv, err)) && t->failed != NULL)
        explain_failed(t, word, gf_cli_kinds_of(argv), err);
    free(t);
    return -1;
}
