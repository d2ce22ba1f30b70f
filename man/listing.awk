# Reads the output of gpufilter --manual listing, the first file. The scripts that follow fill templates with it, the
# second file, line by line:  awk -f listing.awk -f roff.awk LISTING TEMPLATE
#   option  name, letter, argument, is it optional, does it name a file, group, text, more text
#   stage   name, image or audio, group, usage, summary, text, picture; its options and examples follow
#   operation  name, text
#   value   name, must the name be given, range, is it required, default, text, is it on/off, is it a file, choices
BEGIN { FS = "\t" }
FNR == NR {
    kind = $1
    for (i = 2; i <= NF; i++)
        field[i - 1] = decode($i)
    if (kind == "option" || kind == "bench_option") {
        n = ++options[kind]
        keep(kind, n, "name letter argument optional files group text more")
    } else if (kind == "group") {
        group[++groups] = field[1]
    } else if (kind == "stage") {
        keep("stage", ++stages, "name kind group words summary text picture")
        id[stages] = field[1] (field[2] == "audio" ? "-sound" : "")
        is_stage[field[1]] = 1
    } else if (kind == "value") {
        n = ++values[stages]
        keep("value", stages SUBSEP n, "name key_only range required default text flag file choices")
    } else if (kind == "example") {
        example[stages, ++examples[stages]] = field[1]
    } else if (kind == "format") {
        keep("format", ++formats, "title names read written kept")
    } else if (kind == "operation") {
        keep("operation", ++operations, "name text")
    } else if (kind == "note") {
        keep("note", ++notes, "formats reads loses refuses")
    } else {
        words[kind] = field[1]
    }
    next
}
# Keeps the fields of a record as data[TYPE, N, NAME].
function keep(type, n, names,    name, count, k)
{
    count = split(names, name, " ")
    for (k = 1; k <= count; k++)
        data[type, n, name[k]] = field[k]
}
function stage(n, name) { return data["stage", n, name] }
function value(n, k, name) { return data["value", n, k, name] }
function decode(text)
{
    if (!index(text, "\\"))
        return text
    gsub(/\\\\/, "\001", text)
    gsub(/\\n/, "\n", text)
    gsub(/\\t/, "\t", text)
    gsub("\001", "\\\\", text)
    return text
}
