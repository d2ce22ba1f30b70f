/* Wraps text for people into lines of a terminal. */
#include "cli/wrap.h"

#include <stdio.h>
#include <string.h>

/* Columns of a word of `bytes` bytes in UTF-8. */
static int columns_of(const char *word, size_t bytes)
{
    int columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

void gf_wrap_print(const char *text, int indent, int columns)
{
    int at = indent;

    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        size_t gap = strspn(text + length, " \n");
        int breaks = 0;

        for (size_t i = 0; i < gap; i++)
            breaks += text[length + i] == '\n';
        if (at > indent && at + 1 + columns_of(text, length) > columns) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        printf("%s%.*s", at > indent ? " " : "", (int)length, text);
        at += (at > indent) + columns_of(text, length);
        text += length + gap;
        if (breaks > 1 && *text != '\0') {
            printf("\n\n%*s", indent, "");
            at = indent;
        }
    }
    putchar('\n');
}
