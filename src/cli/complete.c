/* Completion scripts for shells, from the table of options and the descriptors. */
#include "cli/complete.h"

#include "chain/option.h"
#include "chain/stage.h"
#include "cli/cli_options.h"
#include "io/io.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Prints text in single quotes, with `quote` for a quote in it. */
static void print_quoted(const char *text, const char *quote)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

static void print_names(const char *const *names)
{
    for (; *names != NULL; names++)
        printf("%s ", *names);
}

/* Prints the values of an option with choices such as a|b[:N]|c, separated by blanks; else nothing. */
static void print_argument_choices(const struct gf_cli_option *row, const char *const *topics)
{
    const char *argument = row->argument;

    if (strcmp(row->name, "bench") == 0 && topics != NULL)
        print_names(topics);
    else if (strcmp(row->name, "from") == 0)
        print_names(gf_reader_names());
    else if (strcmp(row->name, "to") == 0)
        print_names(gf_writer_names());
    if (strchr(argument, '|') == NULL)
        return;
    for (bool shown = true; *argument != '\0'; argument++) {
        if (*argument == '[' || *argument == ']')
            shown = *argument == ']';
        else if (shown)
            putchar(*argument == '|' ? ' ' : *argument);
    }
}

static bool names_file(const struct gf_option *row)
{
    return row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT || row->type == GF_OPTION_MASK;
}

/* Prints the words that an option takes as its value, each with `prefix` before it and `end` after it. */
static void print_choices(const struct gf_option *row, const char *prefix, const char *end)
{
    for (const char *const *choice = row->choices; choice != NULL && *choice != NULL; choice++)
        printf("%s%s%s", prefix, *choice, end);
    for (const struct gf_named_mask *mask = row->masks; mask != NULL && mask->name != NULL; mask++)
        printf("%s%s%s", prefix, mask->name, end);
    for (const struct gf_named_colour *c = gf_named_colours; row->type == GF_OPTION_COLOUR && c->name != NULL; c++)
        printf("%s%s%s", prefix, c->name, end);
    if (row->type == GF_OPTION_FLAG)
        printf("%son%s%soff%s", prefix, end, prefix, end);
}

/* Prints the keys of a stage, and the values that need no key. */
static void print_stage_values(const struct gf_stage *stage)
{
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++) {
        printf("%s= ", row->name);
        if (!row->key_only && row->type != GF_OPTION_FLAG)
            print_choices(row, "", " ");
    }
}

/* Prints the stages whose first value is a file, between blanks. */
static void print_file_stages(void)
{
    putchar(' ');
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->options != NULL && gf_stages[i]->options->name != NULL && names_file(gf_stages[i]->options))
            printf("%s ", gf_stages[i]->name);
}

/*
 * Prints a line for each stage that appends its values. A name for images and audio has two lines.
 */
static void print_value_cases(const char *append)
{
    for (int i = 0; i < gf_stage_count; i++) {
        if (gf_stages[i]->options == NULL || gf_stages[i]->options->name == NULL)
            continue;
        printf("    if [ \"$stage\" = %s ]; then %s'", gf_stages[i]->name, append);
        print_stage_values(gf_stages[i]);
        puts("'; fi");
    }
}

static void print_key_cases(void)
{
    puts("    case \"$stage:$key\" in");
    for (int i = 0; i < gf_stage_count; i++) {
        for (const struct gf_option *row = gf_stages[i]->options; row != NULL && row->name != NULL; row++) {
            if (row->choices == NULL && row->masks == NULL && row->type != GF_OPTION_FLAG
                && row->type != GF_OPTION_COLOUR
                && !names_file(row))
                continue;
            printf("    %s:%s) %svalues='", gf_stages[i]->name, row->name, names_file(row) ? "files=1 " : "");
            print_choices(row, "", " ");
            puts("' ;;");
        }
    }
    puts("    esac");
}

static void print_stage_names(void)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (i == 0 || strcmp(gf_stages[i]->name, gf_stages[i - 1]->name) != 0)
            printf("%s ", gf_stages[i]->name);
}

static void print_option_names(void)
{
    for (const struct gf_cli_option *row = gf_cli_options; row->name != NULL; row++)
        if (row->text != NULL)
            printf("--%s ", row->name);
}

/* Prints what follows each option: `--device) values='auto cpu' ;;`, or files. */
static void print_argument_cases(const char *const *topics)
{
    for (const struct gf_cli_option *row = gf_cli_options; row->name != NULL; row++) {
        if (row->text == NULL || row->argument == NULL)
            continue;
        if (row->optional && strcmp(row->name, "help") != 0 && strcmp(row->name, "bench") != 0)
            continue;
        printf("    --%s", row->name);
        if (row->letter != 0)
            printf("|-%c", row->letter);
        if (row->files) {
            puts(") files=1 ;;");
            continue;
        }
        if (strcmp(row->name, "help") == 0) {
            puts(") values=$stages ;;");
            continue;
        }
        printf(") values='");
        print_argument_choices(row, topics);
        puts("' ;;");
    }
}

/*
 * Prints the part that bash and zsh share. It reads $word, the word to complete without quotes, and $before, the word
 * before it. It sets $values, $prefix, which each of the values follows, and $files if names of files follow it, too.
 */
static void print_shared(const char *const *topics)
{
    printf("    stages='");
    print_stage_names();
    printf("'\n    options='");
    print_option_names();
    puts("'\n    chains=$(gpufilter --manual chains 2>/dev/null)\n"
         "    stages=\"$stages$(printf '%s\\n' \"$chains\" | cut -f 1 | tr '\\n' ' ')\"\n"
         "    values='' prefix='' files=''\n    case \"$before\" in");
    print_argument_cases(topics);
    puts("    *) case \"$word\" in\n"
         "       -*) values=$options ;;\n"
         "       @*) prefix=@ files=1 ;;\n"
         "       *:*) prefix=${word%\"${word##*[:,=]}\"} stage=${word%%:*} key=${word##*[:,]} ;;\n"
         "       *) values=$stages files=1 ;;\n"
         "       esac ;;\n"
         "    esac\n"
         "    if [ -n \"$stage\" ]; then\n"
         "    case \"$key\" in\n"
         "    *=*) key=${key%%=*}");
    print_key_cases();
    puts("    ;;\n    *)");
    print_value_cases("values=\"$values \"");
    puts("    [ -n \"$values\" ] || values=$(printf '%s\\n' \"$chains\" | awk -F '\\t' -v name=\"$stage\" "
         "'$1 == name { print $2 }')");
    printf("    case '");
    print_file_stages();
    puts("' in *\" $stage \"*) case \"$word\" in *,*) ;; *) files=1 ;; esac ;; esac\n"
         "    ;;\n    esac\n    fi");
}

static void complete_bash(const char *const *topics)
{
    puts("# bash completion for gpufilter, made by gpufilter --completion bash\n"
         "_gpufilter()\n"
         "{\n"
         "    local line word before values prefix files stage='' key='' stages chains options\n"
         "    local quote='' start=0 breaks='' cut='' file i c\n"
         "    line=${COMP_LINE:0:COMP_POINT} word='' before=''\n"
         "    for ((i = 0; i < ${#line}; i++)); do\n"
         "        c=${line:i:1}\n"
         "        case \"$quote$c\" in\n"
         "        [\\\\]?) word+=$c quote='' ;;\n"
         "        \\'\\' | \\\"\\\") quote='' ;;\n"
         "        [\\'\\\"]?) word+=$c ;;\n"
         "        [\\\\]) quote=$c ;;\n"
         "        [\\'\\\"]) quote=$c start=${#word} ;;\n"
         "        [[:space:]]) [ -z \"$word\" ] || before=$word; word='' ;;\n"
         "        *) word+=$c ;;\n"
         "        esac\n"
         "    done\n"
         "    COMPREPLY=()");
    print_shared(topics);
    puts("    compopt -o nospace 2>/dev/null\n"
         "    COMPREPLY=($(compgen -P \"$prefix\" -W \"$values\" -- \"${word#\"$prefix\"}\"))\n"
         "    # readline replaces what follows an open quote, or else the last of its word breaks\n"
         "    for c in : = @; do\n"
         "        case \"$COMP_WORDBREAKS\" in *\"$c\"*) breaks+=$c ;; esac\n"
         "    done\n"
         "    if [ \"$quote\" = \\' ] || [ \"$quote\" = \\\" ]; then\n"
         "        cut=${word:0:start}\n"
         "    elif [ -n \"$breaks\" ]; then\n"
         "        cut=${word%\"${word##*[$breaks]}\"}\n"
         "    fi\n"
         "    if [ -n \"$files\" ]; then\n"
         "        while IFS= read -r file; do\n"
         "            [ ! -d \"$file\" ] || file=$file/\n"
         "            [ -n \"$quote\" ] || printf -v file %q \"$file\"\n"
         "            COMPREPLY+=(\"$prefix$file\")\n"
         "        done < <(compgen -f -- \"${word#\"$prefix\"}\")\n"
         "    fi\n"
         "    COMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n"
         "    case \"${#COMPREPLY[@]}:${COMPREPLY[0]}\" in\n"
         "    1:*= | 1:*/) ;;\n"
         "    1:*) compopt +o nospace 2>/dev/null ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _gpufilter gpufilter");
}

static void complete_zsh(const char *const *topics)
{
    puts("#compdef gpufilter\n"
         "# zsh completion for gpufilter, made by gpufilter --completion zsh\n"
         "_gpufilter()\n"
         "{\n"
         "    local word before values prefix files stage='' key='' stages chains options w\n"
         "    word=$PREFIX before=${words[CURRENT-1]}\n"
         "    emulate -L sh");
    print_shared(topics);
    puts("    for w in $values; do\n"
         "        case \"$w\" in\n"
         "        *=) compadd -S '' -- \"$prefix$w\" ;;\n"
         "        *) compadd -- \"$prefix$w\" ;;\n"
         "        esac\n"
         "    done\n"
         "    if [ -n \"$files\" ]; then\n"
         "        [ -z \"$prefix\" ] || compset -P '*[@:=]'\n"
         "        _files\n"
         "    fi\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _gpufilter ]; then _gpufilter \"$@\"; else compdef _gpufilter gpufilter; fi");
}

static void print_fish_options(const char *const *topics)
{
    for (const struct gf_cli_option *row = gf_cli_options; row->name != NULL; row++) {
        if (row->text == NULL)
            continue;
        printf("complete -c gpufilter -l %s", row->name);
        if (row->letter != 0)
            printf(" -s %c", row->letter);
        if (row->files)
            printf(" -r -F");
        else if (row->argument != NULL && (!row->optional || strcmp(row->name, "bench") == 0)) {
            printf(row->optional ? " -f -a '" : " -x -a '");
            print_argument_choices(row, topics);
            putchar('\'');
        }
        printf(" -d ");
        print_quoted(row->text, "\\'");
        putchar('\n');
    }
}

/* Prints the rules for files without an option, and for those that a stage begins with. */
static void print_fish_files(void)
{
    puts("function __gpufilter_at_file\n"
         "    string match -qr '^[^:,]*:[^:,=]*$' -- (commandline -ct)");
    printf("    and string match -q '* '(string split -m 1 : -- (commandline -ct))[1]' *' '");
    print_file_stages();
    puts("'\nend\n"
         "complete -c gpufilter -n __gpufilter_at_file -a '(__fish_complete_path (string unescape -- "
         "(string replace -r \"^[^:]*:\" \"\" -- (commandline -ct))) | string replace -r \"^\" "
         "(string match -r \"^[^:]*:\" -- (commandline -ct)))'\n"
         "complete -c gpufilter -n 'not string match -qr \"[:@]|^-\" -- (commandline -ct)' -F");
}

static void complete_fish(const char *const *topics)
{
    puts("# fish completion for gpufilter, made by gpufilter --completion fish\n"
         "function __gpufilter_values\n"
         "    set -l word (commandline -ct)\n"
         "    set -l stage (string split -m 1 : -- $word)[1]\n"
         "    set -l prefix (string match -r '^.*[:,]' -- $word)\n"
         "    switch $stage");
    for (int i = 0; i < gf_stage_count; i++) {
        const struct gf_stage *stage = gf_stages[i];

        if (stage->options == NULL)
            continue;
        if (i == 0 || strcmp(stage->name, gf_stages[i - 1]->name) != 0)
            printf("        case %s\n", stage->name);
        printf("            printf '%%s\\n' $prefix\"\"{");
        for (const struct gf_option *row = stage->options; row->name != NULL; row++) {
            char keyed[64];

            snprintf(keyed, sizeof keyed, "%s=", row->name);
            printf("%s,", keyed);
            print_choices(row, keyed, ",");
            if (!row->key_only && row->type != GF_OPTION_FLAG)
                print_choices(row, "", ",");
        }
        puts("}");
    }
    puts("        case '*'\n"
         "            for line in (gpufilter --manual chains 2>/dev/null)\n"
         "                set -l part (string split \\t -- $line)\n"
         "                if test \"$part[1]\" = \"$stage\"\n"
         "                    printf '%s\\n' $prefix(string split -n ' ' -- $part[2])\n"
         "                end\n"
         "            end\n"
         "    end\nend\ncomplete -c gpufilter -f");
    for (int i = 0; i < gf_stage_count; i++) {
        printf("complete -c gpufilter -a %s -d ", gf_stages[i]->name);
        print_quoted(gf_stages[i]->summary, "\\'");
        putchar('\n');
    }
    puts("complete -c gpufilter -a '(gpufilter --manual chains 2>/dev/null | string replace -r "
         "\"\\\\t[^\\\\t]*\\\\t\" \\\\t)'\n"
         "complete -c gpufilter -n 'string match -q \"@*\" -- (commandline -ct)' "
         "-a '(__fish_complete_path (string unescape -- (string sub -s 2 -- (commandline -ct))) | "
         "string replace -r \"^\" @)'");
    print_fish_files();
    puts("complete -c gpufilter -n 'string match -q \"*:*\" -- (commandline -ct)' -a '(__gpufilter_values)'");
    print_fish_options(topics);
}

void gf_complete(const char *shell, const char *const *topics)
{
    (strcmp(shell, "bash") == 0 ? complete_bash : strcmp(shell, "zsh") == 0 ? complete_zsh : complete_fish)(topics);
}
