#!/usr/bin/env python3
"""Times whole jobs of gpufilter and of other programs: processes from start to end, CPU only.

usage: jobs.py GPUFILTER FOLDER [ROUNDS [JOB...]]

FOLDER gets the inputs (1.3 GB) and the outputs. The programs take turns, ROUNDS times (7). Each line of the result has
the best wall time and the best CPU time (user and system, with child processes), in milliseconds, and the bytes of its
output. Programs that are not installed are skipped. FFMPEG names another ffmpeg, PYVIPS a Python with pyvips, whose
start is part of its time. The binary package of pyvips cannot read PPM, so it gets .v, its own format, which has no
compression either.
"""
import os, resource, shutil, subprocess, sys, time

gpufilter, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
rounds, wanted = int((sys.argv[3:] or [7])[0]), sys.argv[4:]
gf = gpufilter + ' -q --device cpu'
ffmpeg = os.environ.get('FFMPEG', 'ffmpeg') + ' -v error -nostdin -y'
magick = 'magick' if shutil.which('magick') else os.environ.get('CONVERT', 'convert')
turn = 'rotate=30*PI/180:ow=rotw(30*PI/180):oh=roth(30*PI/180)'

def pyvips(steps, output='v.v', source='p.v'):
    start = f"import pyvips; image = pyvips.Image.new_from_file('{source}', access='sequential')"
    return f"{os.environ.get('PYVIPS', 'python3-with-pyvips')} -c \"{start}; image{steps}.write_to_file('{output}')\""

jobs = {
    'start: 640x480 gray': {
        'gpufilter': f'{gf} -i small.ppm gray -o o.pgm',
        'ImageMagick': f'{magick} small.ppm -colorspace Gray c.pgm',
        'vips': 'vips colourspace small.ppm v.pgm b-w',
        'pyvips': pyvips(".colourspace('b-w')", 'v.v', 'small.v'),
        'FFmpeg': f'{ffmpeg} -i small.ppm -vf format=gray f.pgm',
        "G'MIC": 'gmic small.ppm -luminance -o g.pgm'},
    'gray, blur, rotate': {
        'gpufilter': f'{gf} -i p.ppm gray blur:2 rotate:30 -o o.pgm',
        'ImageMagick': f'{magick} p.ppm -colorspace Gray -blur 0x2 -rotate 30 c.pgm',
        'pyvips': pyvips(".colourspace('b-w').gaussblur(2).rotate(30)").replace('sequential', 'random'),
        'FFmpeg': f'{ffmpeg} -i p.ppm -vf "format=gray,gblur=sigma=2,{turn}" f.pgm',
        "G'MIC": 'gmic p.ppm -luminance -blur 2 -rotate 30 -o g.pgm'},
    'resize to half': {
        'gpufilter': f'{gf} -i p.ppm resize:50% -o o.ppm',
        'ImageMagick': f'{magick} p.ppm -resize 50% c.ppm',
        'vips': 'vips resize p.ppm v.ppm 0.5',
        'pyvips': pyvips('.resize(0.5)'),
        'FFmpeg': f'{ffmpeg} -i p.ppm -vf scale=iw/2:ih/2:flags=lanczos f.ppm',
        "G'MIC": 'gmic p.ppm -resize 50%,50%,1,3,6 -o g.ppm'},
    'blur, sigma 2': {
        'gpufilter': f'{gf} -i p.ppm blur:2 -o o.ppm',
        'ImageMagick': f'{magick} p.ppm -blur 0x2 c.ppm',
        'vips': 'vips gaussblur p.ppm v.ppm 2',
        'pyvips': pyvips('.gaussblur(2)'),
        'FFmpeg': f'{ffmpeg} -i p.ppm -vf format=gbrp,gblur=sigma=2 f.ppm',
        "G'MIC": 'gmic p.ppm -blur 2 -o g.ppm'},
    'blur, sigma 25': {
        'gpufilter': f'{gf} -i p.ppm blur:25 -o o.ppm',
        'ImageMagick': f'{magick} p.ppm -blur 0x25 c.ppm',
        'vips': 'vips gaussblur p.ppm v.ppm 25',
        'pyvips': pyvips('.gaussblur(25)'),
        'FFmpeg': f'{ffmpeg} -i p.ppm -vf format=gbrp,gblur=sigma=25 f.ppm',
        "G'MIC": 'gmic p.ppm -blur 25 -o g.ppm'},
    'median 5x5': {
        'gpufilter': f'{gf} -i p.ppm median:2 -o o.ppm',
        'ImageMagick': f'{magick} p.ppm -statistic Median 5x5 c.ppm',
        'vips': 'vips rank p.ppm v.ppm 5 5 12',
        'pyvips': pyvips('.rank(5, 5, 12)'),
        'FFmpeg': f'{ffmpeg} -i p.ppm -vf format=gbrp,median=radius=2 f.ppm',
        "G'MIC": 'gmic p.ppm -median 5 -o g.ppm'},
    'PNG to PNG': {
        'gpufilter': f'{gf} -i photo.png -o o.png',
        'ImageMagick': f'{magick} photo.png c.png',
        'vips': 'vips copy photo.png v.png',
        'pyvips': pyvips('', 'v.png', 'photo.png'),
        'FFmpeg': f'{ffmpeg} -i photo.png f.png',
        "G'MIC": 'gmic photo.png -o g.png'},
    'JPEG to thumbnail': {
        'gpufilter': f'{gf} -i photo.jpg resize:400 -o o.jpg',
        'ImageMagick': f'{magick} -define jpeg:size=800x600 photo.jpg -resize 400 c.jpg',
        'vips': 'vipsthumbnail photo.jpg -s 400 -o v.jpg',
        'pyvips': pyvips('', 'v.jpg', 'photo.jpg').replace(
            "new_from_file('photo.jpg', access='sequential')", "thumbnail('photo.jpg', 400)"),
        'FFmpeg': f'{ffmpeg} -i photo.jpg -vf scale=400:-1 -q:v 3 -update 1 f.jpg',
        "G'MIC": 'gmic photo.jpg -resize 400,300,1,3,2 -o g.jpg,90'},
    '40 JPEGs, half size': {
        'gpufilter': f'{gf} -i in resize:50% -o out-g/',
        'ImageMagick': f'for f in in/*.jpg; do {magick} $f -resize 50% out-m/${{f##*/}}; done',
        'vips': 'vipsthumbnail in/*.jpg -s 816 -o ../out-v/%s.jpg'},
    'Y4M, 100 frames, blur': {
        'gpufilter': f'{gf} -i v.y4m blur:2 -o o.y4m',
        'FFmpeg': f'{ffmpeg} -i v.y4m -vf gblur=sigma=2 f.y4m'},
    'H.264, 100 frames, half size': {
        'gpufilter': f'{ffmpeg} -i v.mp4 -f yuv4mpegpipe - | {gf} resize:50% | {ffmpeg} -i - -preset fast o.mp4',
        'FFmpeg': f'{ffmpeg} -i v.mp4 -vf scale=iw/2:ih/2 -preset fast f.mp4'},
    'PPM to WebP': {
        'gpufilter': f'{gf} -i p.ppm -o o.webp',
        'vips': 'vips copy p.ppm v.webp',
        'pyvips': pyvips('', 'v.webp'),
        'FFmpeg': f'{ffmpeg} -i p.ppm f.webp'},
    'WAV to FLAC': {
        'gpufilter': f'{gf} -i pink.wav -o o.flac',
        'flac': 'flac -s -f pink.wav -o c.flac',
        'SoX': 'sox -D pink.wav s.flac',
        'FFmpeg': f'{ffmpeg} -i pink.wav f.flac'},
    'limiter, WAV to Ogg': {
        'gpufilter': f'{gf} -i pink.wav gain:6 limit:-1 -o o.ogg',
        'FFmpeg': f'{ffmpeg} -i pink.wav -af alimiter=level_in=2:limit=0.89:level=0 -c:a libvorbis f.ogg'},
    'limiter, WAV to MP3': {
        'gpufilter': f'{gf} -i pink.wav gain:6 limit:-1 -o o.mp3',
        'FFmpeg': f'{ffmpeg} -i pink.wav -af alimiter=level_in=2:limit=0.89:level=0 f.mp3'},
    'true peaks': {
        'gpufilter': f'{gf} -i pink.wav stats:true -o o.tsv',
        'FFmpeg': f'{ffmpeg} -nostats -i pink.wav -af ebur128=peak=true -f null -'},
    'linear-phase lowpass': {
        'gpufilter': f'{gf} -i pink.wav lowpass:3k -o o.wav',
        'SoX': 'sox -D pink.wav s.wav sinc -a 74 -3k'},
    'parametric equalizer': {
        'gpufilter': f'{gf} -i pink.wav eq:1k,1,6 -o o.wav',
        'SoX': 'sox -D pink.wav s.wav equalizer 1k 1q 6',
        'FFmpeg': f'{ffmpeg} -i pink.wav -af equalizer=f=1000:t=q:w=1:g=6 f.wav'},
    '48000 to 44100 Hz': {
        'gpufilter': f'{gf} -i pink.wav resample:44100 -o o.wav',
        'SoX': 'sox -D pink.wav s.wav rate 44100',
        'FFmpeg': f'{ffmpeg} -i pink.wav -ar 44100 f.wav'},
    '48000 to 44100 Hz, good': {
        'gpufilter': f'{gf} -i pink.wav resample:44100,quality=good -o o.wav',
        'FFmpeg': f'{ffmpeg} -i pink.wav -ar 44100 f.wav'},
    'spectrogram': {
        'gpufilter': f'{gf} -i pink.wav spectrogram -o o.png',
        'SoX': 'sox pink.wav -n spectrogram -o s.png',
        'FFmpeg': f'{ffmpeg} -i pink.wav -lavfi showspectrumpic=s=800x512 f.png'},
}

# Stages on the planes of video, and the filters of FFmpeg that do the same work, at 8 and at 10 bits.
planes = {
    'flip': 'vflip', 'flop': 'hflip', 'transpose': 'transpose=0', 'crop:1280x720+320+180': 'crop=1280:720:320:180',
    'resize:50%': 'scale=iw/2:ih/2:flags=lanczos', 'resize:200%': 'scale=iw*2:ih*2:flags=lanczos',
    'blur:2': 'gblur=sigma=2', 'brightness:0.1': "lutyuv=y='clip(val+LEVELS,0,maxval)'",
    'unsharp:0x1+1+0': 'unsharp=5:5:1:5:5:1', 'median:1': 'median=radius=1', 'gray:rec709': 'format=GRAY'}
for bits, levels, gray in (8, '22', 'gray'), (10, '88', 'gray10'):
    for stage, graph in planes.items():
        graph = graph.replace('LEVELS', levels).replace('GRAY', gray)
        jobs[f'planes, {bits} bits, {stage}'] = {
            'gpufilter': f'{gf} --video planes -i v{bits}.y4m {stage} -o o.y4m',
            'FFmpeg': f'{ffmpeg} -i v{bits}.y4m -vf "{graph}" -strict -1 -f yuv4mpegpipe f.y4m'}

def prepare():
    def run(command):
        subprocess.run(command, shell=True, check=True)
    for made in 'out-g', 'out-m', 'out-v', 'in':
        os.makedirs(made, exist_ok=True)
    for pixels, name in ('yuv420p', 'v8.y4m'), ('yuv420p10', 'v10.y4m'):
        if not os.path.exists(name):
            run(f'{ffmpeg} -f lavfi -i testsrc2=size=1920x1080:rate=25:duration=4 '
                f'-vf noise=all_strength=12:all_flags=t,format={pixels} -strict -1 {name}')
    if os.path.exists('v.mp4'):
        return
    run(f'{magick} -seed 7 -size 4096x3072 plasma:fractal -depth 8 p.ppm')
    run(f'{gf} -i p.ppm resize:640x480 -o small.ppm && {gf} -i p.ppm noise:0.02 -o photo.jpg --quality 90')
    if 'PYVIPS' in os.environ:
        run('vips copy p.ppm p.v && vips copy small.ppm small.v')
    run(f'{gf} -i p.ppm noise:0.02 -o photo.png && sox -n -r 48000 -c 2 -b 16 pink.wav synth 600 pinknoise gain -6')
    for k in range(40):
        run(f'{gf} -i photo.jpg resize:1632x1224 brightness:{k / 200} -o in/{k}.jpg')
    run(f'{ffmpeg} -f lavfi -i testsrc2=size=1920x1080:rate=25:duration=4 -pix_fmt yuv420p v.y4m')
    run(f'{ffmpeg} -i v.y4m -c:v libx264 -preset fast v.mp4')

def is_installed(command):
    program = command.split()[0]
    return program == 'for' and shutil.which(magick) or shutil.which(program)

def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    status = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status.returncode:
        sys.exit(f'{command}: {status.stderr.decode()}')
    return wall * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000

def size_of(command):
    """Returns the bytes of the file that a command names last, or a dash."""
    last = command.split()[-1]
    return os.path.getsize(last) if os.path.isfile(last) else '-'

os.makedirs(folder, exist_ok=True)
os.chdir(folder)
prepare()
print('job\tprogram\twall ms\tCPU ms\tbytes\tours / its wall\tours / its CPU')
for job, commands in jobs.items():
    if wanted and not any(word in job for word in wanted):
        continue
    commands = {name: command for name, command in commands.items() if is_installed(command)}
    best = {name: (1e9, 1e9) for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            best[name] = tuple(map(min, best[name], measure(command)))
    for name, (wall, cpu) in best.items():
        ours = best['gpufilter']
        print(f'{job}\t{name}\t{wall:.0f}\t{cpu:.0f}\t{size_of(commands[name])}\t{ours[0] / wall:.2f}\t{ours[1] / cpu:.2f}',
              flush=True)
