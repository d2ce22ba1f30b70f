# Fills a template of the web page with the stages: @LINKS@, @STAGES@ and @CARDS@, which lead to the pictures.
/^@LINKS@$/ { print_groups("h4", "<p class=\"links\">\n", "</p>", "link"); next }
/^@STAGES@$/ { print_groups("h2", "", "", "stage"); next }
/^@CARDS@$/ { print_groups("h2", "<div class=\"grid\">\n", "</div>", "card"); next }
{ print }

# Returns true for a word that is written as it is typed: an option, KEY=VALUE, or a stage with its value.
function is_code(word,    colon)
{
    if (word ~ /^--[A-Za-z]/ || word ~ /^[a-z][^=]*=/)
        return 1
    colon = index(word, ":")
    return colon > 0 && colon < length(word) && substr(word, 1, colon - 1) in is_stage
}
# Returns prose with such words marked as code. Punctuation after a word is not a part of it.
function prose(text,    out, word, after)
{
    while (text != "") {
        match(text, /^[ \n(]*/)
        out = out substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        match(text, /^[^ \n]*/)
        word = after = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
        sub(/[,.;:)]+$/, "", word)
        after = substr(after, length(word) + 1)
        out = out (word != "" && is_code(word) ? "<code>" html(word) "</code>" : html(word)) after
    }
    return out
}
# Empty lines separate paragraphs; one that begins with a blank is shown line by line.
function print_paragraphs(text,    paragraph, n, i)
{
    n = split(text, paragraph, "\n\n")
    for (i = 1; i <= n; i++)
        print paragraph[i] ~ /^ / ? "<pre>" html(paragraph[i]) "</pre>" : "<p>" prose(paragraph[i]) "</p>"
}
function print_value(n, k,    name, after)
{
    name = value(n, k, "name")
    after = value(n, k, "default")
    after = value(n, k, "required") != "" ? "; required" : after != "" ? "; default " after : ""
    print "<dt id=\"" id[n] "-" name "\"><code>" name (value(n, k, "key_only") != "" ? "=" : "") "</code></dt>"
    print "<dd>" prose(value(n, k, "text")) "<small>takes " html(value(n, k, "range") after) "</small></dd>"
}
function image(file, alt)
{
    return "<img loading=\"lazy\" src=\"pictures/" file ".png\" alt=\"" alt "\">"
}
# Returns a picture of audio and a player for it.
function sound(picture, file, alt)
{
    return "<div><a href=\"pictures/" picture ".png\">" image(picture, alt) \
        "</a><audio controls preload=\"none\" src=\"pictures/" file ".flac\"></audio></div>"
}
# The sample and the result side by side. Audio and video are drawn by the stages after the bar; the name of the last of
# them is a part of the file's.
function print_picture(n,    sample, stem, stages_of, bar, view, name, audio)
{
    sample = stages_of = stage(n, "picture")
    sub(/ .*/, "", sample)
    stem = sample
    sub(/\..*/, "", stem)
    stages_of = substr(stages_of, length(sample) + 2)
    bar = index(stages_of, " | ")
    if (bar > 0) {
        view = substr(stages_of, bar + 3)
        stages_of = substr(stages_of, 1, bar - 1)
        name = view
        sub(/.* /, "", name)
        sub(/:.*/, "", name)
        audio = sample ~ /\.wav$/
        print "<figure" (audio ? " class=\"sound\"" : "") "><div class=\"pair\">" \
            (audio ? sound(stem "-" name, stem, "before") sound(id[n], id[n], "after") \
                : image(stem "-" name, "before") image(id[n], "after")) "</div>"
        print "<figcaption><code>" sample "</code> before and after <code>" html(stages_of) "</code>,"
        print "drawn by <code>" html(view) "</code></figcaption></figure>"
        return
    }
    print "<figure><div class=\"pair\">" (sample ~ /\.wav$/ ? "" : image(stem, "before")) image(id[n], "after") "</div>"
    print "<figcaption><code>" sample "</code> before and after <code>" html(stages_of) "</code></figcaption></figure>"
}
function print_stage(n,    k)
{
    print "<h3 id=\"" id[n] "\"><a href=\"#" id[n] "\">" stage(n, "name") "</a> <small>" html(stage(n, "summary")) \
        "</small></h3>"
    print "<p><code>" html(stage(n, "words")) "</code></p>"
    if (stage(n, "picture") != "")
        print_picture(n)
    print_paragraphs(stage(n, "text"))
    if (values[n] > 0) {
        print "<dl>"
        for (k = 1; k <= values[n]; k++)
            print_value(n, k)
        print "</dl>"
    }
    for (k = 1; k <= examples[n]; k++)
        print (k == 1 ? "<pre><code>" : "") html(example[n, k]) (k == examples[n] ? "</code></pre>" : "")
}
function print_card(n)
{
    print "<a href=\"stages.html#" id[n] "\">" \
        (stage(n, "picture") != "" ? image(id[n], "") : "<div class=\"no\"></div>") \
        "<b>" stage(n, "name") "</b> <small>" html(stage(n, "summary")) "</small></a>"
}
# Prints all stages of images, then of audio, by group: as links, in full, or as cards.
function print_groups(heading, open, close_tag, how,    audio, g, n, any)
{
    for (audio = 0; audio <= 1; audio++)
        for (g = 1; g <= groups; g++) {
            any = 0
            for (n = 1; n <= stages; n++) {
                if ((stage(n, "kind") == "audio") != audio || stage(n, "group") != group[g])
                    continue
                if (!any++)
                    printf "<%s>%s: %s</%s>\n%s", heading, audio ? "Audio" : "Images", html(group[g]), heading, open
                if (how == "link")
                    print "<a href=\"#" id[n] "\">" stage(n, "name") "</a>"
                else if (how == "card")
                    print_card(n)
                else
                    print_stage(n)
            }
            if (any)
                print close_tag
        }
}
