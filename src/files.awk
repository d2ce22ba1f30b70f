# The list of make files: the first sentence of each file's opening comment, by folder. Files that differ only in their
# extension share a line, with the sentence of the first one.
FNR == 1 {
    folder = key = FILENAME
    sub(/[^\/]*$/, "", folder)
    sub(/\.[^.\/]*$/, "", key)
    if (!(key in kinds)) {
        keys[++count] = key
        folders[key] = folder
    }
    kinds[key] = kinds[key] (key in kinds && kinds[key] != "" ? ", " : "") substr(FILENAME, length(key) + 1)
    reading = !(key in text)
}
reading {
    line = $0
    reading = line !~ /\*\// && line ~ /^( ?\/?\*|$)/
    gsub(/^ *\/?\* ?| *\*\/.*/, "", line)
    text[key] = text[key] (text[key] != "" && line != "" ? " " : "") line
    if (match(text[key], /\.( |$)/)) {
        text[key] = substr(text[key], 1, RSTART)
        reading = 0
    }
}
END {
    for (i = 1; i <= count; i++) {
        key = keys[i]
        if (folders[key] != folder)
            print (i > 1 ? "\n" : "") folders[key]
        folder = folders[key]
        printf "  %-24s %s\n", substr(key, length(folder) + 1) " " kinds[key], text[key]
    }
}
