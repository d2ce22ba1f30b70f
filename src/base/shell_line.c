/* Builds a command line for a shell, with quotes where a shell needs them. */
#include "base/shell_line.h"

#include <string.h>

const char *gf_shell_quote(const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@%+=:,{}-";
    const bool list = strchr(word, '{') != NULL && strchr(word, ',') != NULL;

    return word[0] != '\0' && strspn(word, plain) == strlen(word) && !list ? "" : "'";
}

void gf_shell_line_put(struct gf_shell_line *line, const char *text)
{
    const size_t length = strlen(text);

    line->full = line->full || line->used + length >= sizeof line->text;
    if (line->full)
        return;
    memcpy(line->text + line->used, text, length + 1);
    line->used += length;
}

void gf_shell_line_put_name(struct gf_shell_line *line, const char *option, const char *name)
{
    const char *quote = gf_shell_quote(name);
    char letter[2] = "";

    gf_shell_line_put(line, option);
    gf_shell_line_put(line, quote);
    for (; *name != '\0'; name++) {
        letter[0] = *name;
        gf_shell_line_put(line, *name == '\'' ? "'\\''" : letter);
    }
    gf_shell_line_put(line, quote);
}
