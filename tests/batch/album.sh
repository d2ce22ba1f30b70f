# normalize with album: one gain for all inputs, compared with a slow measurement of all of them together.
. "$(dirname "$0")/../lib.sh"

# tone FILE SECONDS LEVEL: a mono WAV of 48000 Hz with noise and a tone at a level from 0 to 1.
tone()
{
    sound tone.wav $(($2 * 48000)) 1 "$2"
    gf -q -i tone.wav gain:"$3" -o "$1"
}
tone loud.wav 2 -6
tone soft.wav 3 -14
tone quiet.wav 4 -40
files='loud.wav soft.wav quiet.wav'

# The filters are those of ITU-R BS.1770 for 48000 Hz. Each recording has blocks of its own; windows of four are gated.
for f in $files; do
    echo start
    gf -q -i $f -t raw:type=s16 -o - | od -An -v -td2 -w2
done | awk '
    $1 == "start" { n = s = a = b = c = d = blocks = 0; next }
    {
        x = $1 / 32768
        y = 1.53512485958697 * x + a
        a = -2.69169618940638 * x + 1.69065929318241 * y + b
        b = 1.19839281085285 * x - 0.73248077421585 * y
        z = y + c
        c = -2 * y + 1.99004745483398 * z + d
        d = y - 0.99007225036621 * z
        s += z * z
        if (++n == 4800) {
            e[blocks++] = s / n
            n = s = 0
            if (blocks > 3)
                w[windows++] = (e[blocks - 1] + e[blocks - 2] + e[blocks - 3] + e[blocks - 4]) / 4
        }
    }
    function mean(gate,    i, sum, count)
    {
        for (i = 0; i < windows; i++)
            if (w[i] > gate) { sum += w[i]; count++ }
        return sum / count
    }
    END {
        absolute = 10 ^ ((-70 + .691) / 10)
        relative = mean(absolute) / 10
        printf "%.4f\n", -.691 + 10 * log(mean(relative > absolute ? relative : absolute)) / log(10)
    }' >loudness
# peak FILE: the level of its loudest sample.
peak()
{
    gf -q -i "$1" stats -t tsv -o - | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "peak_db") at = i }
        NR == 2 { print $at }'
}
works 'several inputs get one loudness' gf -i loud.wav -i soft.wav -i quiet.wav --depth f32 \
    normalize:lufs=-20,album -o album/
for f in $files; do
    is "the gain of $f is that of all inputs" "$(echo "$(cat loudness) $(peak $f) $(peak album/$f)" |
        awk '{ d = $1 + $3 - $2 + 20; print (d < .01 && d > -.01) ? "yes" : d }')" yes
done
gf -q -j 1 --memory 8M -i loud.wav -i soft.wav -i quiet.wav --depth f32 normalize:lufs=-20,album -o one/
cat album/loud.wav album/soft.wav album/quiet.wav >known
cat one/loud.wav one/soft.wav one/quiet.wav | cmp - known >differs 2>&1
is 'an album is the same with one thread' "$? $(cat differs)" '0 '
gf -q --shard 2/3 -i loud.wav -i soft.wav -i quiet.wav --depth f32 normalize:lufs=-20,album -o shard/
same shard/soft.wav album/soft.wav 'a shard has the gain of all inputs'
gf -q -i quiet.wav normalize:lufs=-20,album -o alone.wav
gf -q -i quiet.wav normalize:lufs=-20 -o known.wav
same alone.wav known.wav 'one input is an album of itself'
gf -q -i loud.wav -i soft.wav gain:-3 normalize:lufs=-20,album split:1 2>errors -o none/
is 'an album is not divided by several inputs' "$(grep -c 'makes several files of one input' errors)" 1
gf --explain -i loud.wav -i soft.wav normalize:lufs=-20,album -o none/ >plan 2>errors
is 'the plan of an album measures nothing' "$? $(cat errors)" '0 '

refuses 2 'standard input: is a pipe, but normalize with album reads all inputs twice' 'a pipe in an album' \
    gf -i loud.wav -i - normalize:lufs=-20,album -o none/
refuses 2 'normalize: album needs lufs=' 'an album by peaks' gf -i loud.wav -i soft.wav normalize:-1,album -o none/
refuses 2 'all inputs are one already' 'joined inputs as an album' \
    gf --join -i loud.wav -i soft.wav normalize:lufs=-20,album -o none.wav
refuses 1 'missing.wav: No such file' 'a missing input of an album' \
    gf -i loud.wav -i missing.wav normalize:lufs=-20,album -o none/
gf -q -i loud.wav spectrogram:20 -o image.png
refuses 2 'silence:trim cannot be before it' 'silence is cut before an album' \
    gf -i loud.wav -i soft.wav silence:trim normalize:lufs=-20,album -o none/
refuses 1 'image.png: is an image, but album measures audio' 'an image in an album' \
    gf -i loud.wav -i image.png normalize:lufs=-20,album -o none/
refuses 2 'late/1.xyz: unknown extension' 'names of an album are checked before it is measured' \
    gf -i loud.wav -i missing.wav normalize:lufs=-20,album -o 'late/{n}.xyz'
is 'a wrong name leaves no folder' "$(ls -d late 2>&1 | grep -c 'No such')" 1
gf --no-sandbox -i loud.wav -i image.png normalize:lufs=-20,album -o late/ 2>errors
is 'an album that fails without a sandbox leaves no folder' "$(ls -d late 2>&1 | grep -c 'No such')" 1
is 'failed albums leave no outputs' "$(ls none/*.wav 2>/dev/null)" ''
finish
