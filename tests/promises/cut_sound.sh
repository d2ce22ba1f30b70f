# Audio: segments, lanes and threads never change the output bytes.
. "$(dirname "$0")/lib_cut.sh"

sound 1.wav 1 2 1
sound 997.wav 997 1 2
sound 20011.wav 20011 2 3
sound 4099.wav 4099 5 4
for file in 1.wav 997.wav 20011.wav 4099.wav; do
    for stage in lowpass:900 highpass:900,width=400 bandpass:300,900 bandstop:300,900,taps=31 '' gain:-3 invert mono \
        resample:44100 resample:11111 resample:44100,quality=good resample:32k,quality=fast reverse \
        'fir:[0.5 0.25 0.125]' fir:taps.txt \
        biquad:1,-1,0,-0.995,0 eq:1k,1,-6 bass:6 treble:3; do
        cut_ways $file wav ${stage:+"$stage"}
    done
    for stage in normalize:-1 normalize:rms=-30 normalize:lufs=-30 equalize; do
        cut_ways $file wav fir:taps.txt $stage gain:-1
        cut_ways $file wav $stage
    done
    cut_ways $file tsv stats
    cut_ways $file json fir:taps.txt stats
    cut_ways $file tsv stats:true
    cut_ways $file json fir:taps.txt stats:true
    cut_ways $file tsv gain:-1 histogram:100
    cut_ways $file tsv gain:-1 spectrogram:50,256
    cut_ways $file tsv fir:taps.txt waveform
done
cut_ways 20011.wav wav fir:taps.txt normalize:lufs=-30 fir:taps.txt normalize
for file in 997.wav 4099.wav; do
    for stage in dcshift:0.1 clamp:-0.2,0.3 channel:1 remix:1,1 remix:.5*1,0,1,1,1,1 trim:100f,300f trim:0,-1f \
        pad:77f,1003f delay:500f echo:900f,0.5,1f,-0.3 \
        fade:200f,700f,shape=log limit:-12 limit:-20,ahead=33f limit:-12,true limit:-20,true,ahead=7f dither:12; do
        cut_ways $file wav $stage
    done
done
cut_ways 1.wav wav pad:1f,1f fade:2f,2f echo:1f,1 limit:-12
cut_ways 1.wav wav limit:-12,true
cut_ways 20011.wav wav gain:6 limit:-3 delay:100f remix:2,1+2 reverse fade:10f,10f trim:0,-300f dither
for file in 997.wav 20011.wav; do
    for stage in trim:100f,900f trim:500f trim:13f,+70f; do
        cut_ways $file wav eq:1k,1,3 $stage
        cut_ways $file wav fir:taps.txt,align=center bass:6 fir:taps.txt $stage resample:32k treble:2 trim:5f \
            fir:taps.txt limit:-20,ahead=33f --depth f32
        cut_ways $file wav gain:-3 eq:1k,1,3 fade:50f,50f $stage pad:9f,2000f trim:8f,+400f
        cut_ways $file tsv bass:6 $stage stats
        cut_ways $file wav treble:3 $stage bass:1 normalize
    done
done
cut_ways 20011.wav wav gain:-3 fir:taps.txt mono 'fir:[1 -1]'
cut_ways 20011.wav flac fir:taps.txt
cut_ways 20011.wav wav resample:32k 'fir:[1 -1]' resample:48001
for file in 1.wav 997.wav 20011.wav 4099.wav; do
    cut_ways $file wav bass:6 fir:taps.txt --depth f32
    cut_ways $file wav bass:6 resample:32k fir:taps.txt eq:1k,1,3 resample:44100 fir:taps.txt --depth f32
    cut_ways $file wav bass:3 fir:taps.txt eq:1k,1,3 'fir:[1 2 3],align=center' treble:2 --depth f32
    cut_ways $file wav fir:taps.txt,align=center eq:20,30,12 gain:-3 eq:15k,0.5,-9 fir:taps.txt,align=center
done
cut_ways 20011.wav tsv treble:6 fir:taps.txt bass:-9 stats
for file in 997.wav 20011.wav; do
    if cut_ways $file wav bass:6 tee:mid.wav resample:32k mono; then
        gf --device $device -i $file bass:6 -o plain.wav 2>>errors
        same plain.wav mid.wav "a tee of $file, however cut"
    fi
done
# A pad reads the last frame of its input long after a filter with state has made it.
for stage in pad:0,3000f 'pad:0,1000f lowpass:900' 'pad:0,3f trim:0,3000f pad:0,2000f' 'echo:500f,0.5 pad:0,2000f'; do
    cut_ways 997.wav wav bass:3 $stage
    cut_ways 997.wav wav eq:1k,1,3 treble:-2 $stage bass:2
done
awk 'BEGIN { for (i = 0; i < 3000; i++) print (i * 7919 % 1000 - 500) / 30000 }' >long.txt    # filtered in blocks
cp 997.wav response.wav
for stage in fir:long.txt fir:long.txt,align=center,tail=keep reverb:response.wav; do
    cut_ways 997.wav wav "$stage"
    cut_ways 20011.wav wav "$stage" gain:-3 'fir:[1 -1]'
done
# A segment computes at least a block of a filter, here 28000 frames, so it is longer than --segment wants.
if [ $device = cpu ] && is_ours; then
    sound second.wav 44100 2 4
    for stage in lowpass:100 'lowpass:100 resample:32k' 'echo:0.4,0.5 lowpass:100'; do
        rm -f short.wav
        gf --device cpu -i second.wav $stage -o long.wav
        works "$stage in segments of one frame, within 10 seconds" \
            timeout 10 "$GPUFILTER" --device cpu --segment 1 -i second.wav $stage -o short.wav
        same long.wav short.wav "$stage in segments of one frame has the same samples"
    done
fi
cut_ways 20011.wav tsv fir:long.txt "fir:[$(seq -s ' ' 1 70)]" stats
finish
