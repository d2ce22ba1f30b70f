# Writes an entry of the search index for each heading and each option that has an id: title, page, address, text.
function plain(text)
{
    gsub(/<[^>]*>/, " ", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&nbsp;/, " ", text)
    gsub(/&#x00A0;/, " ", text)
    gsub(/&amp;/, "\\&", text)
    gsub(/[ \t\n]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}
function quote(text)
{
    gsub(/\\/, "\\\\\\\\", text)
    gsub(/"/, "\\\"", text)
    while (match(text, /&#x[0-9A-F][0-9A-F][0-9A-F][0-9A-F];/))
        text = substr(text, 1, RSTART - 1) "\\u" substr(text, RSTART + 3, 4) substr(text, RSTART + RLENGTH)
    return "\"" text "\""
}
function end_entry()
{
    if (id != "")
        printf "{t:%s,p:%s,u:%s,x:%s},\n", quote(plain(title)), quote(page), quote(file "#" id), quote(substr(plain(text), 1, 600))
    id = ""
}
# Numbers of a drawing are no text.
/^<svg/, /^<\/svg>/ { next }
{ all = all $0 "\n" }
END {
    page = file
    sub(/\.html$/, "", page)
    if (page ~ /\.[137]$/)
        page = substr(page, 1, length(page) - 2) "(" substr(page, length(page)) ")"
    while (match(all, /<(h1|h2|h3|dt)[^>]* id="[^"]*"[^>]*>/)) {
        text = text substr(all, 1, RSTART - 1)
        end_entry()
        tag = substr(all, RSTART, RLENGTH)
        all = substr(all, RSTART + RLENGTH)
        kind = tag
        sub(/^</, "", kind)
        sub(/ .*/, "", kind)
        id = tag
        sub(/.* id="/, "", id)
        sub(/".*/, "", id)
        end = index(all, "</" kind ">")
        title = substr(all, 1, end - 1)
        all = substr(all, end)
        text = ""
    }
    text = text all
    end_entry()
}
