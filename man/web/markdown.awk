# Turns a page in Markdown into HTML. It knows what man/python.md uses: headings, paragraphs, lists, tables, blocks of
# code, links, and words that are code or bold.
function words(text,    out, found, middle)
{
    text = html(text)
    while (match(text, /\*\*[^*]*\*\*|\[[^]]*\]\([^)]*\)/)) {
        found = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        if (found ~ /^\*/)
            out = out "<b>" substr(found, 3, length(found) - 4) "</b>"
        else {
            middle = index(found, "](")
            out = out "<a href=\"" substr(found, middle + 2, length(found) - middle - 2) "\">" \
                substr(found, 2, middle - 2) "</a>"
        }
    }
    return out text
}
# Text in backquotes is code and stays as it is.
function line(text,    part, count, i, out)
{
    count = split(text, part, "`")
    for (i = 1; i <= count; i++)
        out = out (i % 2 == 1 ? words(part[i]) : "<code>" html(part[i]) "</code>")
    return out
}
# The name of a heading in links, as other readers of Markdown make it.
function place(title)
{
    title = tolower(title)
    gsub(/[^a-z0-9 _-]/, "", title)
    gsub(/ /, "-", title)
    return title
}
function end_text()
{
    if (text != "")
        print (list ? "<li>" : "<p>") line(text) (list ? "</li>" : "</p>")
    text = ""
}
function end_block()
{
    end_text()
    if (list)
        print "</ul>"
    if (table)
        print "</table>"
    list = table = 0
}
function row(cells,    part, count, i, out, name)
{
    name = table ? "td" : "th"
    gsub(/\\\|/, "\001", cells)
    count = split(cells, part, "|")
    for (i = 2; i < count; i++) {
        gsub(/\001/, "|", part[i])
        gsub(/^ +| +$/, "", part[i])
        out = out "<" name ">" line(part[i]) "</" name ">"
    }
    return "<tr>" out "</tr>"
}
code && /^```$/ { print "</code></pre>"; code = 0; next }
code { print html($0); next }
/^```/ { end_block(); printf "<pre><code>"; code = 1; next }
/^##? / {
    end_block()
    level = index($0, " ") - 1
    title = substr($0, level + 2)
    print "<h" level " id=\"" place(title) "\">" line(title) "</h" level ">"
    next
}
/^\|[-|]*\|$/ { next }
/^\|/ { if (!table) { end_block(); print "<table>" } print row($0); table = 1; next }
/^- / { end_text(); if (!list) print "<ul>"; list = 1; text = substr($0, 3); next }
/^$/ { end_block(); next }
{ sub(/^ +/, ""); text = text (text == "" ? "" : "\n") $0 }
END { end_block() }
