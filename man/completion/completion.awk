# Fills the template of a completion script: awk -f ../listing.awk -f completion.awk LISTING shared SHELL. Bash and zsh
# have a part in common, which is read first.
FILENAME ~ /shared$/ { common[++lines] = $0; next }
/^@SHARED@$/ { for (i = 1; i <= lines; i++) put(common[i]); next }
{ put($0) }

function put(line)
{
    if (line == "@ARGUMENTS@") print_arguments()
    else if (line == "@KEYS@") print_keys()
    else if (line == "@VALUES@") print_values()
    else if (line == "@STAGE_VALUES@") print_fish_values()
    else if (line == "@STAGE_NAMES@") print_fish_stages()
    else if (line == "@OPTION_NAMES@") print_fish_options()
    else {
        line = fill(line, "@STAGES@", stage_names())
        line = fill(line, "@OPTIONS@", option_names())
        print fill(line, "@FILE_STAGES@", file_stages())
    }
}
function fill(line, mark, text,    i)
{
    i = index(line, mark)
    return i == 0 ? line : substr(line, 1, i - 1) text substr(line, i + length(mark))
}
function option(n, name) { return data["option", n, name] }
function stage_names(    n, text)
{
    for (n = 1; n <= stages; n++)
        if (n == 1 || stage(n, "name") != stage(n - 1, "name"))
            text = text stage(n, "name") " "
    return text
}
function option_names(    n, text)
{
    for (n = 1; n <= options["option"]; n++)
        text = text "--" option(n, "name") " "
    return text
}
# The stages whose first value is a file
function file_stages(    n, text)
{
    for (n = 1; n <= stages; n++)
        if (value(n, 1, "file") != "")
            text = text stage(n, "name") " "
    return " " text
}
# Returns the values of an option with choices such as a|b[:N]|c.
function argument_choices(n,    text, argument)
{
    if (option(n, "name") == "bench") text = words["topics"]
    if (option(n, "name") == "from") text = words["reads"]
    if (option(n, "name") == "to") text = words["writes"]
    argument = option(n, "argument")
    if (argument !~ /[|]/)
        return text
    gsub(/\[[^]]*\]/, "", argument)
    gsub(/[|]/, " ", argument)
    return text argument
}
# What follows each option: `--device) values='auto cpu' ;;`, or files
function print_arguments(    n, name, what)
{
    for (n = 1; n <= options["option"]; n++) {
        name = option(n, "name")
        if (option(n, "argument") == "" || option(n, "optional") != "" && name != "help" && name != "bench")
            continue
        what = name == "help" ? "values=$stages" : "values='" argument_choices(n) "'"
        what = option(n, "files") != "" ? "files=1" : what
        print "    --" name (option(n, "letter") != "" ? "|-" option(n, "letter") : "") ") " what " ;;"
    }
}
function print_keys(    n, k)
{
    for (n = 1; n <= stages; n++)
        for (k = 1; k <= values[n]; k++)
            if (value(n, k, "choices") != "" || value(n, k, "file") != "")
                print "    " stage(n, "name") ":" value(n, k, "name") ") " \
                    (value(n, k, "file") != "" ? "files=1 " : "") "values='" value(n, k, "choices") "' ;;"
}
# A line for each stage that appends its keys, and values that need no key. A name for images and audio has two.
function print_values(    n, k, text)
{
    for (n = 1; n <= stages; n++) {
        text = ""
        for (k = 1; k <= values[n]; k++)
            text = text value(n, k, "name") "= " (unkeyed(n, k) ? value(n, k, "choices") : "")
        if (text != "")
            print "    if [ \"$stage\" = " stage(n, "name") " ]; then values=\"$values \"'" text "'; fi"
    }
}
function unkeyed(n, k) { return value(n, k, "key_only") == "" && value(n, k, "flag") == "" }
function print_fish_values(    n, k, text, keyed, bare)
{
    for (n = 1; n <= stages; n++) {
        text = ""
        for (k = 1; k <= values[n]; k++) {
            keyed = bare = value(n, k, "choices")
            gsub(/[^ ]+/, value(n, k, "name") "=&", keyed)
            text = text value(n, k, "name") "=," keyed (unkeyed(n, k) ? bare : "")
        }
        gsub(/ /, ",", text)
        if (text == "")
            continue
        if (n == 1 || stage(n, "name") != stage(n - 1, "name"))
            print "        case " stage(n, "name")
        print "            printf '%s\\n' $prefix\"\"{" text "}"
    }
}
function quoted(text)
{
    gsub(/'/, "\\\\'", text)
    return "'" text "'"
}
function print_fish_stages(    n)
{
    for (n = 1; n <= stages; n++)
        print "complete -c gpufilter -a " stage(n, "name") " -d " quoted(stage(n, "summary"))
}
function print_fish_options(    n, text)
{
    for (n = 1; n <= options["option"]; n++) {
        text = "complete -c gpufilter -l " option(n, "name")
        if (option(n, "letter") != "")
            text = text " -s " option(n, "letter")
        if (option(n, "files") != "")
            text = text " -r -F"
        else if (option(n, "argument") != "" && (option(n, "optional") == "" || option(n, "name") == "bench"))
            text = text (option(n, "optional") != "" ? " -f -a '" : " -x -a '") argument_choices(n) "'"
        print text " -d " quoted(option(n, "text"))
    }
}
