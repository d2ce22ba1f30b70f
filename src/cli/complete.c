/* Completion scripts for shells, from the table of options and the descriptors. */
#include "cli/complete.h"

#include "chain/option.h"
#include "chain/stage.h"
#include "cli/cli_options.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>

/* `text` as a word in single quotes, with `quote` for a quote in it. */
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

/* The keys of a stage, and the choices of those values that have a place. */
static void print_stage_values(const struct gf_stage *stage)
{
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++) {
        printf("%s= ", row->name);
        if (row->key_only || row->choices == NULL)
            continue;
        for (const char *const *choice = row->choices; *choice != NULL; choice++)
            printf("%s ", *choice);
    }
}

/* `gray) values='…' ;;` for every name; both kinds of a name share a line each, joined by the shell. */
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
            if (row->choices == NULL && row->type != GF_OPTION_FLAG)
                continue;
            printf("    %s:%s) values='", gf_stages[i]->name, row->name);
            for (const char *const *choice = row->choices; choice != NULL && *choice != NULL; choice++)
                printf("%s ", *choice);
            printf("%s' ;;\n", row->type == GF_OPTION_FLAG ? "on off" : "");
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

/* What may stand behind an option: `--device) values='auto cpu' ;;`, or files, or nothing to complete. */
static void print_argument_cases(const char *files, const char *const *topics)
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
            printf(") %s ;;\n", files);
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

/* The part that bash and zsh share: from the word at hand and the one before it to words and a prefix; `at` completes @FILE. */
static void print_shared(const char *files, const char *at, const char *const *topics)
{
    printf("    stages='");
    print_stage_names();
    printf("'\n    options='");
    print_option_names();
    puts("'\n    chains=$(gpufilter --manual chains 2>/dev/null)\n"
         "    stages=\"$stages$(printf '%s\\n' \"$chains\" | cut -f 1 | tr '\\n' ' ')\"\n"
         "    values='' prefix=''\n    case \"$before\" in");
    print_argument_cases(files, topics);
    puts("    *) case \"$word\" in\n"
         "       -*) values=$options ;;");
    printf("       @*) %s ;;\n", at);
    puts(         "       *:*) prefix=${word%\"${word##*[:,=]}\"} stage=${word%%:*} key=${word##*[:,]} ;;\n"
         "       *) values=$stages ;;\n"
         "       esac ;;\n"
         "    esac\n"
         "    if [ -n \"$stage\" ]; then\n"
         "    case \"$key\" in\n"
         "    *=*) key=${key%%=*}");
    print_key_cases();
    puts("    ;;\n    *)");
    print_value_cases("values=\"$values \"");
    puts("    [ -n \"$values\" ] || values=$(printf '%s\\n' \"$chains\" | awk -F '\\t' -v name=\"$stage\" '$1 == name { print $2 }')\n"
         "    ;;\n    esac\n    fi");
}

static void complete_bash(const char *const *topics)
{
    puts("# bash completion for gpufilter, made by gpufilter --completion bash\n"
         "_gpufilter()\n"
         "{\n"
         "    local line word before values prefix stage='' key='' stages chains options cut\n"
         "    line=${COMP_LINE:0:COMP_POINT}\n"
         "    word=${line##* } line=${line% *} before=${line##* }\n"
         "    COMPREPLY=()");
    print_shared("COMPREPLY=($(compgen -f -- \"$word\")); compopt -o filenames 2>/dev/null; return",
                 "COMPREPLY=($(compgen -f -- \"${word#@}\")); compopt -o filenames -o nospace 2>/dev/null\n"
                 "           case \"$COMP_WORDBREAKS\" in *@*) ;; *) COMPREPLY=(\"${COMPREPLY[@]/#/@}\") ;; esac\n"
                 "           return", topics);
    puts("    compopt -o nospace 2>/dev/null\n"
         "    COMPREPLY=($(compgen -P \"$prefix\" -W \"$values\" -- \"${word#\"$prefix\"}\"))\n"
         "    # readline replaces only what stands behind the last of its word breaks\n"
         "    case \"$COMP_WORDBREAKS\" in\n"
         "    *[:=]*) cut=${word%\"${word##*[:=]}\"}; COMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\") ;;\n"
         "    esac\n"
         "    case \"${#COMPREPLY[@]}:${COMPREPLY[0]}\" in\n"
         "    1:*=) ;;\n"
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
         "    local word before values prefix stage='' key='' stages chains options w\n"
         "    word=$PREFIX before=${words[CURRENT-1]}\n"
         "    emulate -L sh");
    print_shared("_files; return", "compset -P @; _files; return", topics);
    puts("    for w in $values; do\n"
         "        case \"$w\" in\n"
         "        *=) compadd -S '' -- \"$prefix$w\" ;;\n"
         "        *) compadd -- \"$prefix$w\" ;;\n"
         "        esac\n"
         "    done\n"
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
            printf("%s=,", row->name);
            for (const char *const *choice = row->choices; choice != NULL && *choice != NULL; choice++) {
                printf("%s=%s,", row->name, *choice);
                if (!row->key_only)
                    printf("%s,", *choice);
            }
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
    puts("complete -c gpufilter -a '(gpufilter --manual chains 2>/dev/null | string replace -r \"\\\\t[^\\\\t]*\\\\t\" \\\\t)'\n"
         "complete -c gpufilter -n 'string match -q \"@*\" -- (commandline -ct)' "
         "-a '(__fish_complete_path (string sub -s 2 -- (commandline -ct)) | string replace -r \"^\" @)'");
    puts("complete -c gpufilter -n 'string match -q \"*:*\" -- (commandline -ct)' -a '(__gpufilter_values)'");
    print_fish_options(topics);
}

void gf_complete(const char *shell, const char *const *topics)
{
    (strcmp(shell, "bash") == 0 ? complete_bash : strcmp(shell, "zsh") == 0 ? complete_zsh : complete_fish)(topics);
}
