# Lists the texts that a user may see, from the sources given: FILE:LINE: "TEXT". make messages prints the list.
# Neighboring literals are joined as the compiler joins them; a macro between two of them is shown as <NAME>.
# A literal counts as text if it has two words, or if a function that reports errors or notices takes it.
FNR == 1 { end_text(); comment = 0 }
/^#/ { next }
{ read_line($0) }
END { end_text() }

# Reads a line by its tokens: comments are dropped, literals join what is open, everything else may end it.
function read_line(line,    mark, rest) {
    while (line != "") {
        if (comment) {
            mark = index(line, "*/")
            if (!mark)
                return
            line = substr(line, mark + 2)
            comment = 0
        } else if (match(line, /^[ \t]+/) || match(line, /^'(\\.|[^'\\])*'/)) {
            line = substr(line, RLENGTH + 1)
        } else if (substr(line, 1, 2) == "/*") {
            comment = 1
            line = substr(line, 3)
        } else if (substr(line, 1, 2) == "//") {
            return
        } else if (match(line, /^"(\\.|[^"\\])*"/)) {
            add_text(substr(line, 2, RLENGTH - 2))
            line = substr(line, RLENGTH + 1)
        } else if (match(line, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            add_name(substr(line, 1, RLENGTH))
            line = substr(line, RLENGTH + 1)
        } else {
            end_text()
            reports = reports && substr(line, 1, 1) != ";"
            line = substr(line, 2)
        }
    }
}
function add_text(text) {
    if (!open) {
        open = 1
        whole = ""
        place = FILENAME ":" FNR
    }
    whole = whole macro text
    macro = ""
}
function add_name(name) {
    if (open && name ~ /^[A-Z][A-Z_0-9a-z]*$/)
        macro = macro "<" name ">"
    else
        end_text()
    if (name ~ /(fail|warn|note|notice|hint|usage|error)/)
        reports = 1
}
function end_text() {
    if (open && (whole ~ /[A-Za-z%'][^ ]* +[A-Za-z%'<]/ || reports && whole ~ /[a-z]/))
        print place ": \"" whole "\""
    open = 0
    macro = ""
}
