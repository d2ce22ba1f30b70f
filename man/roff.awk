# Fills a template of a manual page. Lines of the template in @ are replaced: @OPTIONS@, @BENCH_OPTIONS@, @FORMATS@,
# @NOTES@, @OPERATIONS@, @OVERVIEW KIND@, @STAGES KIND TITLE@. @VERSION@ and @DOCDIR@ may be anywhere in a line.
BEGIN {
    for (i = 128; i < 256; i++)
        code[sprintf("%c", i)] = i
    special["\\"] = "\\e"; special["-"] = "\\-"; special["'"] = "\\(aq"
    special["`"] = "\\(ga"; special["^"] = "\\(ha"; special["~"] = "\\(ti"
    documents = ENVIRON["DOCDIR"]
    gsub(/-/, "\\\\-", documents)
}
/^@OPTIONS@$/ { print_options("option"); next }
/^@BENCH_OPTIONS@$/ { print_options("bench_option"); next }
/^@FORMATS@$/ { print_formats(); next }
/^@NOTES@$/ { print_notes(); next }
/^@OPERATIONS@$/ { print_operations(); next }
/^@OVERVIEW / { split($0, word, /[ @]/); print_overview(word[3]); next }
/^@STAGES / { split($0, word, /[ @]/); print_stages(word[3], word[4]); next }
{
    gsub(/@VERSION@/, ENVIRON["VERSION"])
    while ((i = index($0, "@DOCDIR@")))
        $0 = substr($0, 1, i - 1) documents substr($0, i + 8)
    print
}

# Returns text with what roff would not print as it is. `start` is true at the start of a line.
function roff(text, start,    out, i, c, u, more)
{
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (start && (c == "." || c == "'"))
            out = out "\\&"
        start = c == "\n"
        if (c in special) {
            out = out special[c]
        } else if (c in code && code[c] >= 192) {
            u = code[c]
            more = u < 224 ? 1 : u < 240 ? 2 : 3
            u -= u < 224 ? 192 : u < 240 ? 224 : 240
            for (; more > 0; more--)
                u = u * 64 + code[substr(text, ++i, 1)] - 128
            out = out sprintf("\\[u%04X]", u)
        } else {
            out = out c
        }
    }
    return out
}
# Prints lines of at most 78 bytes. A sentence begins a line.
function fill(text,    word, n, i, line, next_word, sentence)
{
    sub(/^[ \n]+/, "", text)
    sub(/[ \n]+$/, "", text)
    n = split(text, word, /[ \n]+/)
    for (i = 1; i <= n; i++) {
        next_word = roff(word[i], line == "")
        if (line != "" && (length(line) + 1 + length(roff(word[i], 0)) > 78 || sentence && word[i] ~ /^[A-Z]/)) {
            print line
            line = roff(word[i], 1)
        } else {
            line = line (line == "" ? "" : " ") next_word
        }
        sentence = word[i] ~ /\.$/
    }
    print line
}
# Empty lines separate paragraphs. One that begins with a blank is printed line by line.
function print_paragraphs(text,    paragraph, line, n, k, i, m)
{
    n = split(text, paragraph, /\n\n+/)
    for (i = 1; i <= n; i++) {
        if (paragraph[i] == "")
            continue
        print ".PP"
        if (paragraph[i] !~ /^ /) {
            fill(paragraph[i])
            continue
        }
        print ".RS 4\n.nf"
        m = split(paragraph[i], line, "\n")
        for (k = 1; k <= m; k++) {
            sub(/^ ( ( ( )?)?)?/, "", line[k])
            print roff(line[k], 1)
        }
        print ".fi\n.RE"
    }
}
function macro(name, text) { print "." name " \"" roff(text, 0) "\"" }

function print_options(type,    n, usage, argument, text, open)
{
    for (n = 1; n <= options[type]; n++) {
        argument = data[type, n, "argument"]
        text = data[type, n, "text"]
        if (data[type, n, "group"] != "")
            macro("SS", data[type, n, "group"])
        usage = ".TP\n\\fB"
        if (data[type, n, "letter"] != "")
            usage = usage "\\-" data[type, n, "letter"] "\\fP, \\fB"
        usage = usage "\\-\\-" roff(data[type, n, "name"], 0) "\\fP"
        if (argument != "") {
            open = data[type, n, "optional"] == "" ? " " : data[type, n, "letter"] != "" ? " [" : "[="
            usage = usage open (argument ~ /^[A-Z]/ ? "\\fI" : "\\fB") roff(argument, 0) "\\fP"
            usage = usage (data[type, n, "optional"] != "" ? "]" : "")
        }
        print usage
        fill(toupper(substr(text, 1, 1)) substr(text, 2) ".")
        if (data[type, n, "more"] != "")
            fill(data[type, n, "more"])
    }
}
function or_dash(text) { return text == "" || text == "-" ? "\\-" : text }
function print_formats(    n)
{
    print ".TS\nbox;\nlb lb lb lb lb\nl lx l l lx.\nFormat\tNames\tRead\tWritten\tKeeps\n_"
    for (n = 1; n <= formats; n++)
        print data["format", n, "title"] "\tT{\n" data["format", n, "names"] "\nT}\t" \
            or_dash(data["format", n, "read"]) "\t" or_dash(data["format", n, "written"]) "\tT{\n" \
            or_dash(data["format", n, "kept"]) "\nT}"
    print ".TE"
}
function cell(text)
{
    gsub(/-/, "\\\\-", text)
    return "T{\n" or_dash(text) "\nT}"
}
function print_notes(    n)
{
    print ".TS\nallbox;\nlb lb lb lb\nlx lx lx lx.\nFormat\tRead\tLost, with a warning\tRefused"
    for (n = 1; n <= notes; n++)
        print cell(data["note", n, "formats"]) "\t" cell(data["note", n, "reads"]) "\t" \
            cell(data["note", n, "loses"]) "\t" cell(data["note", n, "refuses"])
    print ".TE"
}
# Prints the operations by name: the program lists them by the names in its source.
function print_operations(    n, k, first)
{
    for (n = 1; n <= operations; n++) {
        first = 0
        for (k = 1; k <= operations; k++)
            if (!(k in printed) && (!first || data["operation", k, "name"] < data["operation", first, "name"]))
                first = k
        printed[first] = 1
        print ".TP"
        macro("B", data["operation", first, "name"])
        fill(data["operation", first, "text"])
    }
}
function print_overview(kind,    g, n, any)
{
    for (g = 1; g <= groups; g++) {
        any = 0
        for (n = 1; n <= stages; n++) {
            if (stage(n, "kind") != kind || stage(n, "group") != group[g])
                continue
            if (!any++) {
                macro("SS", group[g])
                print ".PD 0"
            }
            print ".TP 13n"
            macro("B", stage(n, "name"))
            fill(stage(n, "summary"))
        }
        if (any)
            print ".PD"
    }
}
function print_stages(kind, title,    g, n, any)
{
    for (g = 1; g <= groups; g++) {
        any = 0
        for (n = 1; n <= stages; n++) {
            if (stage(n, "kind") != kind || stage(n, "group") != group[g])
                continue
            if (!any++)
                print ".SH \"" title ": " toupper(group[g]) "\""
            print_stage(n)
        }
    }
}
function print_stage(n,    k, after)
{
    macro("SS", stage(n, "words"))
    fill(stage(n, "summary") ".")
    print_paragraphs(stage(n, "text"))
    for (k = 1; k <= values[n]; k++) {
        print ".TP\n.BR " roff(value(n, k, "name"), 0) (value(n, k, "key_only") != "" ? "=" : "")
        fill(value(n, k, "text") ".")
        after = value(n, k, "default")
        after = value(n, k, "required") != "" ? "; required" : after != "" ? "; default " after : ""
        fill("Takes " value(n, k, "range") after ".")
    }
    for (k = 1; k <= examples[n]; k++)
        print (k == 1 ? ".PP\n.EX\n" : "") roff(example[n, k], 1) (k == examples[n] ? "\n.EE" : "")
}
