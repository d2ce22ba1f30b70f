# The wrapper for Snakemake: 200 files, one of which is broken, and a run that is killed and repeated. All outputs are
# those of one run of gpufilter.
. "$(dirname "$0")/../lib.sh"
. "$here/lib_venv.sh"
wrapper=$tree/src/packaging/snakemake
[ -d "$wrapper" ] || skip_all 'there is no wrapper for Snakemake here'
command -v setsid >setsid.path || skip_all 'no setsid here'
new_venv snakemake
mkdir bin in
ln -s "$GPUFILTER" bin/gpufilter
PATH=$scratch/bin:$PATH
HOME=$scratch
export HOME
snake() { snakemake -s "$wrapper/test/Snakefile" --cores 2 --keep-going "$@" >snake.log 2>&1; }
# left: prints the files that are neither whole outputs nor in the list of Snakemake.
left() { (cd out && find . -type f ! -name '*.jpg'); }

# The block of the manual
mkdir manual manual/holiday
${AWK:-awk} '/^\.SH/ { here = /"WITH SNAKEMAKE"/ } /^\.EX/ { inside = here; next } /^\.EE/ { inside = 0 }
    inside { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); print }' "$tree/man/gpufilter-workflows.7.in" >manual/block.sh
image in.ppm 200 150 3 255 1
cp in.ppm manual/holiday/one.ppm
echo broken >manual/holiday/two.ppm
(cd manual && sh -e ./block.sh) >out.log 2>&1
is 'the Snakefile of the manual reports a broken image' "$? $(cat out.log) $(cat manual/logs/two.txt | wc -l)" '1  1'
gf -q -i in.ppm resize:100 -o one.jpg
same manual/shots/one.jpg one.jpg 'the Snakefile of the manual makes the other image'
rm manual/holiday/two.ppm
works 'the Snakefile of the manual runs again' sh -ec 'cd manual && . ./block.sh'
rm out

i=1
while [ $i -le 200 ]; do
    image in.ppm $((40 + i % 7)) $((30 + i % 5)) 3 255 $i
    gf -q -i in.ppm -o "in/n$i.png"
    i=$((i + 1))
done
gf -q -i in/ resize:50% sharpen:0.5 --quality 85 -o 'wanted/{stem}.jpg'
head -c 500 in/n77.png >cut
mv cut in/n77.png
rm wanted/n77.jpg

begin=$(date +%s)
snake
is 'a run with a broken file fails' $? 1
echo "# 200 files: $(($(date +%s) - begin)) s"
diff -r wanted out >differs 2>&1
nothing 'each output is that of one run, and the broken file has none' cat differs
is 'one failure is reported' "$(grep -c '^Error in rule' snake.log)" 1
is 'the log of the failure names the file' "$(cat logs/*.log)" "$(cat logs/n77.log)"
is 'the log of the failure says why' "$(grep -c '^gpufilter: in/n77.png: ' logs/n77.log)" 1
snake
is 'a second run does only the broken file again' "$(grep -c '^[a-z]*rule gpufilter:' snake.log)" 1
gf -q -i in.ppm -o in/n77.png
gf -q -i in/n77.png resize:50% sharpen:0.5 --quality 85 -o wanted/n77.jpg
snake
is 'a run with the mended file succeeds' $? 0

rm -r out logs
setsid snakemake -s "$wrapper/test/Snakefile" --cores 2 --keep-going >snake.log 2>&1 &
group=$!
tries=0
while [ "$(ls out 2>/dev/null | wc -l)" -lt 20 ] && [ $tries -lt 600 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
kill -9 -$group
wait $group 2>/dev/null
made=$(ls out | wc -l)
is 'the run was killed in the middle' "$((made >= 20 && made < 200))" 1
for file in out/*.jpg; do cmp "$file" "wanted/${file#out/}"; done >differs 2>&1
nothing 'no output of a killed run is half' cat differs
snake --unlock
snake --rerun-incomplete
is 'the run is repeated' $? 0
diff -r wanted out >differs 2>&1
nothing 'outputs of a killed and repeated run are those of one run' cat differs
nothing 'a killed run leaves no other files' left
finish
