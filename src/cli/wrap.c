/* Breaks text into lines of a terminal. */
#include "cli/wrap.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* Returns the columns of a word of `bytes` bytes in UTF-8. */
static int columns_of(const char *word, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

/* Prints the paragraph of `length` bytes in lines that are filled with words. */
static void print_words(const char *text, size_t length, int indent, int columns)
{
    const char *const end = text + length;
    int at = indent;

    while (text < end) {
        const size_t word = strcspn(text, " \n");

        if (at > indent && at + 1 + columns_of(text, word) > columns) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        fputs(at > indent ? " " : "", stdout);
        gf_utf8_print(stdout, text, word, false);        /* chains and their errors may have any characters */
        at += (at > indent) + columns_of(text, word);
        text += word;
        text += strspn(text, " \n");
    }
}

/* Prints the lines of a paragraph as they are. */
static void print_lines(const char *text, size_t length, int indent)
{
    while (length > 0) {
        const char *newline = memchr(text, '\n', length);
        const size_t line = newline != NULL ? (size_t)(newline - text) : length;

        gf_utf8_print(stdout, text, line, false);
        if (newline != NULL)
            printf("\n%*s", indent, "");
        text += line + (newline != NULL);
        length -= line + (newline != NULL);
    }
}

void gf_wrap_print(const char *text, int indent, int columns)
{
    while (*text != '\0') {
        const char *gap = strstr(text, "\n\n");
        const size_t length = gap != NULL ? (size_t)(gap - text) : strlen(text);

        if (*text == ' ')
            print_lines(text, length, indent);
        else
            print_words(text, length, indent, columns);
        text += length + strspn(text + length, "\n");
        if (*text != '\0')
            printf("\n\n%*s", indent, "");
    }
    putchar('\n');
}
