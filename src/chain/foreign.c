/* Finds words of other programs in the table, matches their values and fills in ours. */
#include "chain/foreign.h"

#include "base/elementary.h"
#include "base/shell_line.h"
#include "base/words.h"
#include "chain/stage.h"
#include "io/io.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define ARGUMENTS_MAX 24
#define ALL (GF_FFMPEG | GF_MAGICK | GF_SOX | GF_VIPS | GF_PEOPLE)

bool gf_foreign_put(struct gf_foreign_words *words, const char *text)
{
    const size_t used = strlen(words->text);

    if (*text == '\0')
        return true;
    return (size_t)snprintf(words->text + used, sizeof words->text - used, "%s%s", used > 0 ? " " : "", text)
        < sizeof words->text - used;
}

/* ---- settings ---- */

const char *gf_foreign_setting(const struct gf_foreign_settings *settings, char letter)
{
    return isalpha((unsigned char)letter) && settings->set[letter - 'A'] ? settings->text[letter - 'A'] : NULL;
}

/* Sets a letter to text of a length. A small letter that is set already must have this text. */
static bool set(struct gf_foreign_settings *s, char letter, const char *text, size_t length)
{
    const char *now = gf_foreign_setting(s, letter);

    if (length >= sizeof s->text[0])
        return false;
    if (now != NULL && islower((unsigned char)letter))
        return strlen(now) == length && strncmp(now, text, length) == 0;
    snprintf(s->text[letter - 'A'], sizeof s->text[0], "%.*s", (int)length, text);
    s->set[letter - 'A'] = true;
    return true;
}

bool gf_foreign_set(struct gf_foreign_settings *settings, char letter, const char *text)
{
    return set(settings, letter, text, strlen(text));
}

/* ---- patterns ---- */

/* The length of "-1.5" or "44.1k" at the start of a text; 0: there is no number. */
static size_t number_length(const char *text)
{
    const size_t sign = *text == '+' || *text == '-', digits = strspn(text + sign, "0123456789.");
    const bool is_number = strpbrk(text + sign, "0123456789") != NULL
        && strpbrk(text + sign, "0123456789") < text + sign + digits;

    return !is_number ? 0
        : sign + digits + (text[sign + digits] == 'k' && !isalpha((unsigned char)text[sign + digits + 1]));
}

static bool match_one(const char *p, const char *end, const char *text, struct gf_foreign_settings *s)
{
    size_t length;

    for (; p < end && *p != '>'; p++) {
        if (*p == '#' || *p == '*' || (*p == '@' && isdigit((unsigned char)*text))) {
            length = *p == '#' ? number_length(text) : p + 2 < end && p[2] != '>' ? strcspn(text, (char[]) { p[2], 0 })
                : strlen(text);
            if (length == 0 || !set(s, p[1], text, length))
                return false;
            p++;
        } else {
            p += *p == '\\';
            length = 1;
            if (tolower((unsigned char)*p) != tolower((unsigned char)*text))
                return false;
        }
        text += length;
    }
    return *text == '\0' && (p == end || set(s, p[1], p + 3, (size_t)(end - p - 3)));
}

/* The end of a part of a pattern: the first of `marks` without a backslash before it, or the end. */
static const char *part_end(const char *p, const char *end, const char *marks)
{
    for (; p < end && strchr(marks, *p) == NULL; p++)
        p += *p == '\\' && p + 1 < end;
    return p;
}

/* Matches one of the alternatives; the settings change only if one fits. */
static bool match(const char *p, const char *end, const char *text, struct gf_foreign_settings *s)
{
    struct gf_foreign_settings before = *s;

    for (const char *stop; p <= end; p = stop + 1) {
        stop = part_end(p, end, "|");
        if (match_one(p, stop, text, s))
            return true;
        *s = before;
    }
    return false;
}

struct arguments {
    int count;
    const char *text[ARGUMENTS_MAX];
    bool used[ARGUMENTS_MAX];
    char copy[400];
};

/* Splits the values of a call, as the program of the row does. */
static bool split(const struct gf_foreign_call *call, unsigned whose, struct arguments *a)
{
    const char *separators = (whose & GF_MAGICK) != 0 ? "" : (whose & GF_FFMPEG) != 0 ? ":" : ",";
    char *next = a->copy;

    memset(a, 0, sizeof *a);
    for (int i = 0; i < call->count; i++) {
        if (a->count == ARGUMENTS_MAX)
            return false;
        a->text[a->count++] = call->value[i];
    }
    if (call->text == NULL)
        return true;
    if ((size_t)snprintf(a->copy, sizeof a->copy, "%s", call->text) >= sizeof a->copy)
        return false;
    while (next != NULL) {
        char *end = next + strcspn(next, separators);

        if (a->count == ARGUMENTS_MAX)
            return false;
        a->text[a->count++] = next;
        next = *end != '\0' ? end + 1 : NULL;
        *end = '\0';
    }
    return true;
}

/* Returns the length of the name in "name=value"; 0: it has none. */
static size_t key_length(const char *argument)
{
    size_t length = 0;

    while (isalnum((unsigned char)argument[length]) || argument[length] == '_')
        length++;
    return argument[length] == '=' ? length : 0;
}

/* True if one of the names before `end` that bars separate is `key`. */
static bool is_among(const char *names, const char *end, const char *key, size_t length)
{
    for (const char *stop; names < end; names = stop + 1) {
        stop = part_end(names, end, "|");
        if ((size_t)(stop - names) == length && strncmp(names, key, length) == 0)
            return true;
    }
    return false;
}

/* The argument with one of these keys, or at the place of the parameter; *value is its value. -1: there is none. */
static int find_argument(struct arguments *a, const char *keys, const char *end, const char **value)
{
    for (int i = 0; i < a->count; i++) {
        const bool dashed = keys < end && *keys == '-' && is_among(keys, end, a->text[i], strlen(a->text[i]));
        const size_t key = key_length(a->text[i]);

        if (a->used[i] || (!dashed && (key == 0 || !is_among(keys + (*keys == '.'), end, a->text[i], key))))
            continue;
        *value = !dashed ? a->text[i] + key + 1 : i + 1 < a->count ? a->text[i + 1] : "";
        return i;
    }
    for (int i = 0; i < a->count && (keys == end || strchr("-.", *keys) == NULL); i++)
        if (!a->used[i] && (keys == end || key_length(a->text[i]) == 0)) {
            *value = a->text[i];
            return i;
        }
    return -1;
}

/* Matches one parameter of a row, which ends at `end`. */
static bool take_parameter(const char *parameter, const char *end, struct arguments *a, struct gf_foreign_settings *s)
{
    const char *colon = part_end(parameter, end, ":#*>\\"), *value = NULL;
    const bool keyed = colon < end && *colon == ':', dashed = *parameter == '-' && keyed;
    const char *pattern = keyed ? colon + 1 : parameter, *stop = part_end(pattern, end, "?");
    const int i = find_argument(a, parameter, keyed ? colon : parameter, &value);

    if (i >= 0 && dashed && pattern == stop)
        return a->used[i] = true;
    if (i >= 0 && match(pattern, stop, value, s)) {
        a->used[i] = true;
        if (dashed && i + 1 < a->count)
            a->used[i + 1] = true;
        return true;
    }
    if (stop == end || (i >= 0 && keyed && value != a->text[i]))
        return false;
    if (stop + 1 < end) {
        char preset[120];

        snprintf(preset, sizeof preset, "%.*s", (int)(end - stop - 1), stop + 1);
        return match(pattern, stop, preset, s);
    }
    return true;
}

/* Matches the values of a call with the pattern of a row. */
static bool take_values(const struct gf_foreign_row *row, const struct gf_foreign_call *call,
                        struct gf_foreign_settings *s)
{
    const char *p = row->takes, *end = p + strlen(p);
    struct arguments a;

    memset(s->set + ('a' - 'A'), 0, 'z' - 'a' + 1);
    if (!split(call, row->whose, &a))
        return false;
    for (const char *stop; p < end; p = stop + 1) {
        stop = part_end(p, end, " ");
        if (!take_parameter(p, stop, &a, s))
            return false;
    }
    for (int i = 0; i < a.count; i++)
        if (!a.used[i])
            return false;
    return true;
}

/* ---- formulas ---- */

struct formula {
    const char *next;
    const struct gf_foreign_settings *settings;
    bool wrong;
};

static double read_sum(struct formula *f);

/* Applies "db", "tanpi", "sqrt", "exp2" or "oct": decibels of a factor, and the Q of a band some octaves wide. */
static double apply(const char *name, size_t length, double x)
{
    if (length == 2)
        return round(2000 * gf_log10(fabs(x))) / 100;
    if (*name == 't')
        return gf_tan_pi(x);
    if (length == 3)
        return 1 / (gf_exp2(x / 2) - gf_exp2(-x / 2));
    return *name == 's' ? sqrt(x) : gf_exp2(x);
}

/* A number, pi, a letter that is set, "-x", "(x)" or "name(x)". */
static double read_factor(struct formula *f)
{
    const size_t length = strspn(f->next, "abcdefghijklmnopqrstuvwxyz2");
    const char *name = f->next, *text;
    double value = 0;
    char *end;

    if (*f->next == '-') {
        f->next++;
        return -read_factor(f);
    }
    if (*f->next == '(' || (isalpha((unsigned char)*name) && name[length] == '(')) {
        f->next += (*name == '(' ? 0 : length) + 1;
        value = read_sum(f);
        f->next++;
        return *name == '(' ? value : apply(name, length, value);
    }
    if (strncmp(name, "pi", 2) == 0) {
        f->next += 2;
        return PI;
    }
    text = gf_foreign_setting(f->settings, *name);
    if (text == NULL && isalpha((unsigned char)*name))
        f->wrong = true;
    else if (text != NULL)
        f->wrong = f->wrong || gf_parse_number(text, &value) != 0;
    else
        value = strtod(name, &end);
    f->next = isalpha((unsigned char)*name) ? name + 1 : end;
    return value;
}

static double read_product(struct formula *f)
{
    double value = read_factor(f);

    while (*f->next == '*' || *f->next == '/')
        value = *f->next++ == '*' ? value * read_factor(f) : value / read_factor(f);
    return value;
}

static double read_sum(struct formula *f)
{
    double value = read_product(f);

    while (*f->next == '+' || *f->next == '-')
        value = *f->next++ == '+' ? value + read_product(f) : value - read_product(f);
    return value;
}

/* Appends the value of "{...}", without its braces, or checks it if it begins with !. */
static bool put_value(const char *text, const struct gf_foreign_settings *s, char *to, size_t bytes)
{
    struct formula f = { text + (*text == '!'), s, false };
    double value;

    if (text[1] == '}') {
        const char *word = gf_foreign_setting(s, *text);
        size_t length = word != NULL ? strlen(word) : 0;

        if (word == NULL || length >= bytes)
            return false;
        if (*word == '+' && number_length(word) == length) {
            word++;
            length--;
        }
        for (size_t i = 0; i <= length; i++)     /* ImageMagick's SouthEast is southeast here */
            to[i] = (char)(*text == 'G' || *text == 'M' ? tolower((unsigned char)word[i]) : word[i]);
        return true;
    }
    value = read_sum(&f);
    if (f.wrong || *f.next != '}' || !isfinite(value))
        return false;
    if (*text == '!')
        return value > 0;
    return (size_t)snprintf(to, bytes, "%.*g", fabs(value) < 100 ? 5 : 7, fabs(value) < 1e-9 ? 0 : value) < bytes;
}

/* Fills in a template up to `end`. */
static bool fill_in(const char *from, const char *end, const struct gf_foreign_settings *s, char *to, size_t bytes)
{
    size_t used = 0;

    to[0] = '\0';
    for (; from < end; from++) {
        const char *close = *from == '{' ? strchr(from, '}') : *from == '[' ? strchr(from, ']') : NULL;
        char part[300] = "";

        if (close == NULL) {
            from += *from == '\\';
            snprintf(part, sizeof part, "%c", *from);
        } else if (*from == '{' && !put_value(from + 1, s, part, sizeof part)) {
            return false;
        } else if (*from == '[' && !fill_in(from + 1, close, s, part, sizeof part)) {
            part[0] = '\0';
        }
        from = close != NULL ? close : from;
        used += (size_t)snprintf(to + used, bytes - used, "%s", part);
        if (used >= bytes)
            return false;
    }
    return true;
}

/* ---- rows ---- */

/* Compares names; capitals, dashes and underscores do not count, but options have them all. */
static bool is_called(const char *word, const char *name, const char *end)
{
    if (*name == '-' || *name == '+' || *word == '-' || *word == '+')
        return strncmp(word, name, (size_t)(end - name)) == 0 && word[end - name] == '\0';
    for (; *word != '\0'; word++) {
        if (*word == '-' || *word == '_')
            continue;
        name += name < end && (*name == '-' || *name == '_');
        if (name == end || tolower((unsigned char)*word) != *name++)
            return false;
    }
    return name == end;
}

static bool has_word(const struct gf_foreign_row *row, const char *word)
{
    const char *end = row->words + strlen(row->words);

    for (const char *name = row->words, *stop; name < end; name = stop + 1) {
        stop = part_end(name, end, "|");
        if (is_called(word, name, stop))
            return true;
    }
    return false;
}

/* True if a row is for one of the programs and one of the kinds. */
static bool is_for(const struct gf_foreign_row *row, unsigned whose)
{
    const unsigned kinds = GF_FOR(GF_IMAGE) | GF_FOR(GF_AUDIO);

    return (row->whose & whose & ~kinds) != 0
        && ((row->whose & kinds) == 0 || (whose & kinds) == 0 || (row->whose & whose & kinds) != 0);
}

/* The length of what a row gives, without its remark. */
static size_t gives_length(const struct gf_foreign_row *row)
{
    const char *remark = strstr(row->gives, " # ");

    return remark != NULL ? (size_t)(remark - row->gives) : strlen(row->gives);
}

/* Writes our words for values that our stage takes as they are. */
static bool put_same(const struct gf_foreign_row *row, const struct gf_foreign_call *call, char *to, size_t bytes)
{
    size_t used = (size_t)snprintf(to, bytes, "%.*s%s%s", (int)gives_length(row), row->gives,
                                   call->text != NULL ? ":" : "", call->text != NULL ? call->text : "");

    for (int i = 0; i < call->count && used < bytes; i++)
        used += (size_t)snprintf(to + used, bytes - used, "%c%s", i == 0 ? ':' : ',', call->value[i]);
    return used < bytes;
}

int gf_foreign_find(const struct gf_foreign_call *call, int from, struct gf_foreign_settings *settings,
                    struct gf_foreign_words *words)
{
    for (int i = from; gf_foreign_rows[i].words != NULL; i++) {
        const struct gf_foreign_row *row = &gf_foreign_rows[i];
        const size_t length = gives_length(row);
        struct gf_foreign_settings s = *settings;
        char text[400];

        if (row->takes == NULL || !is_for(row, call->whose) || !has_word(row, call->name))
            continue;
        if (*row->takes == '=' ? !put_same(row, call, text, sizeof text) : !take_values(row, call, &s)
            || !fill_in(row->gives, row->gives + length, &s, text, sizeof text))
            continue;
        text[strlen(text) - (*text != '\0' && text[strlen(text) - 1] == ' ')] = '\0';    /* after an optional stage */
        if (!gf_foreign_put(words, text))
            return -1;
        if (row->gives[length] != '\0')
            s.remark = row->gives + length + 3;
        if (strstr(row->gives, "{F}") != NULL)
            s.set['F' - 'A'] = false;            /* the second file is taken */
        *settings = s;
        return i;
    }
    return -1;
}

bool gf_foreign_has(unsigned whose, const char *name)
{
    for (const struct gf_foreign_row *row = gf_foreign_rows; row->words != NULL; row++)
        if (row->takes != NULL && is_for(row, whose) && has_word(row, name))
            return true;
    return false;
}

int gf_foreign_magick_values(const char *name)
{
    for (const struct gf_foreign_row *row = gf_foreign_rows; row->words != NULL; row++)
        if (row->takes != NULL && *row->takes != '=' && is_for(row, GF_MAGICK) && has_word(row, name))
            return *row->takes == '\0' ? 0 : strchr(row->takes, ' ') == NULL ? 1 : 2;
    return -1;
}

const char *gf_foreign_alias(const char *name, const char **alias)
{
    for (const struct gf_foreign_row *row = gf_foreign_rows; row->words != NULL; row++)
        if (row->takes != NULL && strcmp(row->takes, "==") == 0 && strcmp(row->words, name) == 0) {
            if (alias != NULL)
                *alias = row->words;
            return row->gives;
        }
    return NULL;
}

/* ---- hints ---- */

/* Writes the hint of a row: its clause, its stage if that has one value, or what its example becomes. */
static bool put_hint(const struct gf_foreign_row *row, int number, const char *word, char *text, size_t bytes)
{
    char own[400];
    const char *gives = own, *value;
    struct gf_foreign_settings settings = { .set = { false } };
    struct gf_foreign_words words = { "" };
    const char *const values[] = { row->example };
    const struct gf_foreign_call call = { row->whose, word, row->example, values, 0 };

    snprintf(own, sizeof own, "%.*s", (int)gives_length(row), row->gives);
    while (strncmp(gives, "{!", 2) == 0)
        gives = strchr(gives, '}') + 1;
    value = gives + strcspn(gives, ":[{");
    if (row->takes == NULL || strpbrk(gives, "{[") == NULL)
        snprintf(text, bytes, "%s", own);
    else if (value[0] == ':' && value[1] == '{' && strchr(value, '}')[1] == '\0')
        snprintf(text, bytes, "%.*s", (int)(value - gives), gives);
    else if (row->example != NULL && gf_foreign_find(&call, number, &settings, &words) == number)
        snprintf(text, bytes, "%s", words.text);
    else if (strchr(gives, ' ') == NULL)
        snprintf(text, bytes, "%.*s", (int)strcspn(gives, ":[{"), gives);
    else
        return false;
    return *text != '\0' && (row->takes == NULL || *text != '-');
}

/*
 * Finds a row for a word alone: a hint, or else the first that people use, or else the first of a program. Returns its
 * number, or -1.
 */
static int find_hint(const char *word, unsigned whose)
{
    int found = -1;

    for (int i = 0; gf_foreign_rows[i].words != NULL; i++) {
        const struct gf_foreign_row *row = &gf_foreign_rows[i];

        if (!is_for(row, whose) || !has_word(row, word))
            continue;
        if (row->takes == NULL)
            return i;
        if (found < 0 || (row->whose & ~gf_foreign_rows[found].whose & GF_PEOPLE) != 0)
            found = i;
    }
    return found;
}

const char *gf_foreign_hint(const char *word, unsigned kinds)
{
    static _Thread_local char text[500];
    const unsigned whose = ALL | kinds * GF_FOR(0);
    char option[40];
    int row;

    /* an option may have its number attached, as in -b16 */
    snprintf(option, sizeof option, "%s", word);
    if (*word == '-' && word[1] != '-')
        option[2 + strcspn(option + (option[1] != '\0') + 1, "0123456789")] = '\0';
    row = find_hint(*word == '-' ? option : word, whose);
    if (row < 0)                                 /* another kind of signal has it */
        row = find_hint(*word == '-' ? option : word, ALL);

    for (int i = 0; i < gf_stage_count; i++)
        if ((kinds == 0 || (kinds >> gf_stages[i]->kind & 1) != 0 || row < 0)
            && is_called(word, gf_stages[i]->name, gf_stages[i]->name + strlen(gf_stages[i]->name)))
            return gf_stages[i]->name;
    if (row >= 0 && put_hint(&gf_foreign_rows[row], row, word, text, sizeof text))
        return text;
    for (const char *const *format = gf_writer_names(); *format != NULL; format++)
        if (is_called(word, *format, *format + strlen(*format))) {
            snprintf(text, sizeof text, "use -o NAME.%s or --to %s to choose the format", *format, *format);
            return text;
        }
    return NULL;
}

/* Finds the command in a hint; *at is where it begins. NULL: there is none. */
static const struct gf_foreign_command *find_command(const char *hint, const char **at)
{
    for (const struct gf_foreign_command *c = gf_foreign_commands; c->before != NULL; c++)
        if ((*at = strstr(hint, c->before)) != NULL && strstr(*at, c->after) != NULL)
            return c;
    return NULL;
}

/* True if an argument of SoX is a number, or a flag such as -s of tempo before one. */
static bool is_sox_value(const char *value, const char *next)
{
    return strcspn(value, "0123456789") < 2
        || (value[0] == '-' && strlen(value) == 2 && next != NULL && isdigit((unsigned char)next[0]));
}

/* Puts the values of an effect of SoX, or of an operation of ImageMagick, which end at an option. */
static void put_values(const struct gf_foreign_typed *typed, bool sox, struct gf_shell_line *line)
{
    char copy[200];

    snprintf(copy, sizeof copy, "%s", typed->values != NULL ? typed->values : "");
    for (char *rest = copy, *next; (next = strtok_r(rest, sox ? "," : "", &rest)) != NULL; )
        gf_shell_line_put_name(line, " ", next);
    if (typed->values != NULL || typed->after == NULL)
        return;
    for (char *const *v = typed->after; v[0] != NULL; v++) {
        if (sox ? !is_sox_value(v[0], v == typed->after ? v[1] : NULL)
            : v[1] == NULL || (v[0][0] == '-' && isalpha((unsigned char)v[0][1])))
            return;
        gf_shell_line_put_name(line, " ", v[0]);
    }
}

/* Writes the operation as it was typed, or nothing if that is none of the program. `stock` is that of the table. */
static void put_typed(const struct gf_foreign_typed *typed, unsigned whose, const char *stock,
                      struct gf_shell_line *line)
{
    const size_t length = strcspn(stock, "=: "), dash = *stock == '-';
    const bool same = is_called(typed->name, stock + dash, stock + length), sox = (whose & GF_SOX) != 0;
    char name[60], filter[400];
    size_t named;

    snprintf(name, sizeof name, "%.*s", same ? (int)length : 50, same ? stock : typed->name);
    snprintf(filter, sizeof filter, "%s=%s", name, typed->values != NULL ? typed->values : "");
    if ((whose & GF_FFMPEG) != 0 && (typed->graph != NULL || (same && typed->values != NULL)))
        gf_shell_line_put_name(line, "", typed->graph != NULL ? typed->graph : filter);
    if ((whose & GF_FFMPEG) != 0 || !(same || (sox && typed->values == NULL)))
        return;
    gf_shell_line_put(line, name);
    named = line->used;
    put_values(typed, sox, line);
    if (line->used == named)
        *line = (struct gf_shell_line) { .used = 0 };
}

const char *gf_foreign_explain(const struct gf_foreign_typed *typed, unsigned kinds)
{
    static _Thread_local char text[1000];
    const unsigned program = typed->graph != NULL ? GF_FFMPEG : typed->after != NULL ? GF_MAGICK : 0;
    const unsigned whose = GF_PEOPLE | program | kinds * GF_FOR(0);
    const char *const values = typed->values != NULL || typed->after == NULL ? typed->values : typed->after[0];
    const struct gf_foreign_call call = { whose, typed->name, values, NULL, 0 };
    struct gf_foreign_settings settings = { .set = { false } };
    struct gf_foreign_words words = { "" };
    struct gf_shell_line line = { .used = 0 };
    const char *hint = gf_foreign_hint(typed->name, kinds), *at = NULL;
    const struct gf_foreign_command *command, *its;

    if (values != NULL && gf_foreign_find(&call, 0, &settings, &words) >= 0
        && gf_foreign_is_clause(words.text)) {
        snprintf(text, sizeof text, "%s", words.text);
        return text;
    }
    command = its = hint != NULL && gf_foreign_is_clause(hint) ? find_command(hint, &at) : NULL;
    if (command == NULL)
        return hint;
    if (typed->graph != NULL && (command->whose & GF_FFMPEG) == 0)
        for (its = gf_foreign_commands; (its->whose & command->whose & ~GF_PEOPLE) == 0; )
            its++;
    put_typed(typed, its->whose, at + strlen(command->before), &line);
    if (line.used == 0 || line.full)
        return hint;
    snprintf(text, sizeof text, "%.*s%s%s%s%s", (int)(at - hint), hint, its->before, line.text, its->after,
             strstr(at, command->after) + strlen(command->after));
    return text;
}

bool gf_foreign_is_for_shell(const char *hint)
{
    return strstr(hint, " -") != NULL || strchr(hint, '|') != NULL;
}

bool gf_foreign_is_clause(const char *hint)
{
    return strncmp(hint, "use ", 4) == 0 || strncmp(hint, "there is no ", 12) == 0;
}

const char *gf_foreign_counterpart(const char *word, enum gf_kind kind)
{
    static _Thread_local struct gf_foreign_words words;
    const char *values = strchr(word, ':');
    char name[64];
    const struct gf_foreign_call call = { GF_PEOPLE | GF_FOR(kind), name, values != NULL ? values + 1 : NULL, NULL, 0 };
    struct gf_foreign_settings settings = { .set = { false } };
    int row;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    words.text[0] = '\0';
    if (values != NULL && gf_foreign_find(&call, 0, &settings, &words) >= 0)
        return words.text;
    row = find_hint(name, GF_OURS | GF_FOR(kind));
    return row >= 0 ? gf_foreign_rows[row].gives : NULL;
}
