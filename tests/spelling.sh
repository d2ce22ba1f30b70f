# Checks the spelling of documents, sources and tests with codespell. tests/spelling.words lists
# words that are right.
. "$(dirname "$0")/lib.sh"
command -v codespell >/dev/null || skip_all 'codespell is not installed'
[ -f "$tree/src/main.c" ] || skip_all 'there are no sources here'
cd "$tree" || exit 99

# A \t in a string of C is no letter of the word after it.
check_spelling()
{
    nothing "spelling in $*" codespell --ignore-words=tests/spelling.words --ignore-regex='\\[nt]' \
        --skip='*/fuzz/corpus/*,*/fuzz/dictionaries/*' "$@"
}
check_spelling README.md NEWS.md HACKING.md
check_spelling man/*.in man/*.md
for folder in src filters kernels tests samples; do
    check_spelling $folder
done

# The mistake is put together here, so that this file has none.
printf 'This sen%s has a mistake.\n' tense >"$scratch/mistake.txt"
is 'codespell finds a mistake' "$(codespell "$scratch/mistake.txt" | grep -c sentence)" 1
finish
