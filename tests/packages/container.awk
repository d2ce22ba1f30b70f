# Prints the steps of a Containerfile that a stage needs, one a line: STAGE, INSTRUCTION and its arguments, with
# tabs between them. Values of ARG are filled in; that of CONFIGURE is given.
# It knows only what this Containerfile has. So it cannot see mistakes in syntax that podman and docker refuse, nor
# the scope of an ARG: each ARG counts in all later lines. It has no .dockerignore with patterns, and no layers.
#   awk -f container.awk -v target=STAGE -v configure=OPTIONS Containerfile
function fill(text,    name) {
    while (match(text, /[$][{][A-Z_]+[}]/)) {
        name = substr(text, RSTART + 2, RLENGTH - 3)
        if (!(name in value)) { print "container.awk: no ARG " name >"/dev/stderr"; exit 1 }
        text = substr(text, 1, RSTART - 1) value[name] substr(text, RSTART + RLENGTH)
    }
    return text
}
/^#/ || /^$/ { next }
{
    line = line $0
    if (sub(/\\$/, "", line)) next
    $0 = line
    line = ""
    word = $1
    rest = $0
    sub(/^[A-Z]+ +/, "", rest)
    if (word == "ARG") {
        if ((at = index(rest, "=")) > 0) value[substr(rest, 1, at - 1)] = fill(substr(rest, at + 1))
        if (rest == "CONFIGURE=") value["CONFIGURE"] = configure
        next
    }
    rest = fill(rest)
    if (word == "FROM") {
        stage = $4
        from[stage] = fill($2)
        needs[stage] = from[stage]
        order[++stages] = stage
        rest = from[stage]
    }
    if (match(rest, /(--|,)from=[a-z-]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        sub(/.*=/, "", name)
        needs[stage] = needs[stage] " " name
    }
    steps[stage] = steps[stage] stage "\t" word "\t" rest "\n"
}
# A stage needs only earlier ones, so one pass backwards finds all that the target needs.
END {
    wanted[target] = 1
    for (i = stages; i > 0; i--)
        if (order[i] in wanted) {
            n = split(needs[order[i]], list, " ")
            for (k = 1; k <= n; k++) wanted[list[k]] = 1
        }
    for (i = 1; i <= stages; i++) if (order[i] in wanted) printf "%s", steps[order[i]]
}
