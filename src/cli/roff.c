/* Prints text as roff with man(7) macros: escapes, lines of at most 78 bytes, paragraphs. */
#include "cli/roff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Prints one character of UTF-8 by its name in roff; returns its last byte. */
static const char *print_character(const char *text)
{
    static const unsigned char masks[] = { 0x1f, 0x0f, 0x07 };
    const int more = (*text & 0xe0) == 0xc0 ? 1 : (*text & 0xf0) == 0xe0 ? 2 : 3;
    unsigned int code = (unsigned char)*text & masks[more - 1];

    for (int i = 0; i < more && text[1] != '\0'; i++)
        code = code << 6 | ((unsigned char)*++text & 0x3f);
    printf("\\[u%04X]", code);
    return text;
}

void gf_roff_text(const char *text, bool start)
{
    for (; *text != '\0'; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        start = *text == '\n';
        if ((unsigned char)*text >= 0xc0) {
            text = print_character(text);
            continue;
        }
        switch (*text) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '`': fputs("\\(ga", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        default: putchar(*text); break;
        }
    }
}

/* Returns the bytes that gf_roff_text() prints for one byte of text. */
static int escaped_bytes(char byte)
{
    return strchr("'`^~", byte) != NULL ? 4 : strchr("\\-", byte) != NULL ? 2 : (unsigned char)byte >= 0xc0 ? 8 : 1;
}

void gf_roff_filled(const char *text)
{
    int used = 0;
    bool sentence = false;

    for (text += strspn(text, " \n"); *text != '\0'; text += strspn(text, " \n")) {
        const int length = (int)strcspn(text, " \n");
        char word[512];
        int bytes = 0;

        for (int i = 0; i < length; i++)
            bytes += escaped_bytes(text[i]);
        if (used > 0 && (used + 1 + bytes > 78 || (sentence && isupper((unsigned char)*text))))
            used = 0, putchar('\n');
        else if (used > 0)
            used++, putchar(' ');
        snprintf(word, sizeof word, "%.*s", length, text);
        gf_roff_text(word, used == 0);
        used += bytes;
        sentence = text[length - 1] == '.';
        text += length;
    }
    putchar('\n');
}

/* Prints the lines of a paragraph that begins with blanks as they are, indented. */
static void print_lines(const char *text)
{
    puts(".RS 4\n.nf");
    while (*text != '\0') {
        char line[256];
        const size_t length = strcspn(text, "\n");

        snprintf(line, sizeof line, "%.*s", (int)length, text);
        gf_roff_text(line + (strspn(line, " ") < 4 ? strspn(line, " ") : 4), true);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    puts(".fi\n.RE");
}

void gf_roff_paragraphs(const char *text)
{
    while (*text != '\0') {
        char part[4096];
        const char *gap = strstr(text, "\n\n");
        const size_t length = gap != NULL ? (size_t)(gap - text) : strlen(text);

        snprintf(part, sizeof part, "%.*s", (int)length, text);
        puts(".PP");
        if (*text == ' ')
            print_lines(part);
        else
            gf_roff_filled(part);
        text += length + strspn(text + length, "\n");
    }
}

void gf_roff_sentence(const char *text)
{
    char sentence[1024];

    snprintf(sentence, sizeof sentence, "%s.", text);
    gf_roff_filled(sentence);
}

void gf_roff_macro(const char *macro, const char *text)
{
    printf(".%s \"", macro);
    gf_roff_text(text, false);
    puts("\"");
}
