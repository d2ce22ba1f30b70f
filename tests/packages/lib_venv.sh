# Shared by tests of engines in Python: an environment with packages of PyPI, and cases that a program in Python prints.
# Read after lib.sh.

# new_venv PACKAGE...: installs packages into the folder venv, whose python3 is then the first one, or skips the file if
# there is no PyPI or no wheel. GPUFILTER_KEEP_ROOTS=FOLDER keeps what is downloaded.
new_venv()
{
    need_python
    python3 -m venv venv >venv.log 2>&1 || skip_all "no environment of Python here: $(tail -n 1 venv.log)"
    PATH=$scratch/venv/bin:$PATH
    export PATH
    [ -z "$GPUFILTER_KEEP_ROOTS" ] || set -- --cache-dir "$GPUFILTER_KEEP_ROOTS/pip" "$@"
    pip install -q --disable-pip-version-check --retries 1 --timeout 20 --use-pep517 "$@" >pip.log 2>&1 && return
    if grep -qE 'No matching distribution|NewConnectionError|ConnectTimeout|ProxyError|ResolutionError' pip.log; then
        skip_all "PyPI cannot be reached, or has no wheel for this Python: $(grep -m 1 '^ERROR' pip.log)"
    fi
    fail 'packages of PyPI are installed'
    tail -n 20 pip.log | note
    finish
}

# python_cases PROGRAM ARGUMENT...: runs a program that prints TAP, and reports its cases.
python_cases()
{
    "$scratch/venv/bin/python3" "$@" >cases 2>errors
    status=$?
    while read -r line; do
        name=${line#*- }
        case $line in
        'ok '*) pass "$name" ;;
        'not ok '*) fail "$name" ;;
        '#'*) printf '%s\n' "${line#\# }" | note ;;
        esac
    done <cases
    is "the program of ${1##*/} ends" "$(tail -n 1 cases | cut -c 1-3) $status" '1.. 0'
    [ "$status" = 0 ] || tail -n 20 errors | note
}
