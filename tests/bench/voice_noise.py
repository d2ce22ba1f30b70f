#!/usr/bin/env python3
"""Compares denoise with noisereduce on voices in noise, and prints rows for RESULTS.md.

usage: voice_noise.py GPUFILTER [RATE]; needs noisereduce, pystoi, pesq, SciPy, espeak-ng for synthetic voices and
ALSA's recorded words (Debian: alsa-utils). RATE is 16000 unless given.

Each row is the mean of all voices. The gain of the SNR counts all that differs from the clean voice; that of segments
is the mean over frames of 32 ms with the voice, each limited to -10 to 35 dB. The columns after it look at the voice
and the noise apart. A program may be closed, so its gains are found as output / input of each value of a short-time
spectrum, and applied to both (Fingscheidt and Suhadi, Interspeech 2007). "Parts" is the gain of the ratio of voice to
noise. SDR is the ratio of the clean voice to what the gains change of it: more is less distortion. LSD is the
log-spectral distance of output and clean voice in frames with the voice, 50 dB deep. All are in dB.
"""
import os
import subprocess
import sys
import tempfile
import warnings

import noisereduce
import numpy as np
from pesq import pesq
from pystoi import stoi
from scipy import signal
from scipy.io import wavfile

SNRS = (5, 10, 20)
ALSA = '/usr/share/sounds/alsa/'
WORDS = ('Front_Center', 'Rear_Left', 'Side_Right', 'Front_Left', 'Rear_Right', 'Rear_Center', 'Side_Left')
SENTENCES = (
    ('en-us', 'The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to '
              'tell the depth of a well. These days a chicken leg is a rare dish.'),
    ('en-gb+f3', 'Rice is often served in round bowls. The juice of lemons makes fine punch. The box was thrown '
                 'beside the parked truck. Four hours of steady work faced us.'),
    ('en-us+f2', 'A large size in stockings is hard to sell. The boy was there when the sun rose. A rod is used to '
                 'catch pink salmon. The source of the huge river is the clear spring.'),
    ('en-gb+m3', 'Kick the ball straight and follow through. Help the woman get back to her feet. A pot of tea helps '
                 'to pass the evening. Smoky fires lack flame and heat.'),
)


def speak(voice, text, rate, speed=150):
    subprocess.run(['espeak-ng', '-v', voice, '-s', str(speed), '-w', 'spoken.wav', text], check=True)
    own, x = wavfile.read('spoken.wav')
    return signal.resample_poly(x / 32768, rate, own)


def level(x):
    return x / np.sqrt(np.mean(x ** 2))


def make_voices(rate):
    """Yields a name and a voice with half a second of silence before it."""
    lead = np.zeros(rate // 2)
    for voice, text in SENTENCES:
        yield voice, np.concatenate([lead, .1 * level(speak(voice, text, rate)), lead])
    words = [wavfile.read(f'{ALSA}{name}.wav') for name in WORDS]
    spoken = np.concatenate([signal.resample_poly(x / 32768, rate, own) for own, x in words])
    yield 'recorded', np.concatenate([lead, .1 * level(spoken), lead])


def babble(n, rate):
    """Eight voices that speak at once."""
    total = np.zeros(n)
    for k in range(8):
        voice, text = SENTENCES[k % 4]
        x = level(speak(voice.split('+')[0] + f'+{"mf"[k % 2]}{k % 4 + 1}', text, rate, 130 + 8 * k))
        total += np.resize(np.roll(x, k * rate), n)
    return total


def make_noise(name, n, rate, seed):
    dice = np.random.default_rng(seed)
    white = dice.normal(0, 1, n)
    t = np.arange(n) / rate

    def shaped(power, least=30):
        f = np.fft.rfftfreq(n, 1 / rate)
        return np.fft.irfft(np.fft.rfft(white) * np.maximum(f, least) ** power, n)

    if name == 'pink':
        return level(shaped(-.5))
    if name == 'hum and babble':
        hum = sum(np.sin(2 * np.pi * 50 * k * t + k * k) / k for k in range(1, 9))
        return level(level(np.roll(babble(n, rate), seed * 12345)) + .7 * level(hum) + .1 * white)
    if name == 'fan':
        low = signal.lfilter(*signal.butter(2, 400, fs=rate), white)
        blades = np.sin(2 * np.pi * 118 * t) + .5 * np.sin(2 * np.pi * 236 * t)
        return level(level(low) + .4 * level(blades) + .02 * white)
    if name == 'street':                 # cars that pass, over a rumble
        cars = sum(np.exp(-.5 * ((t - dice.uniform(0, n / rate)) / dice.uniform(.7, 2)) ** 2) for _ in range(8))
        return level(level(shaped(-.75)) * (.3 + cars) + .1 * level(shaped(-1)))
    return level(white)


NOISES = ('white', 'pink', 'fan', 'hum and babble', 'street')


def ours(name, *options):
    def run(y, noise, rate):
        wavfile.write('noise.wav', rate, noise.astype(np.float32))
        wavfile.write('in.wav', rate, y.astype(np.float32))
        subprocess.run([GPUFILTER, '-q', '--device', 'cpu', '-i', 'in.wav', ':'.join(['denoise', *options]), '-o',
                        'out.wav'], check=True)
        return wavfile.read('out.wav')[1].astype(np.float64)
    return name, run


def theirs(name, given):
    def run(y, noise, rate):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            return noisereduce.reduce_noise(y, rate, stationary=given, y_noise=noise if given else None)
    return name, run


PROGRAMS = (
    theirs('noisereduce', False),
    theirs('noisereduce, y_noise', True),
    ours('denoise'),
    ours('denoise:profile=', 'profile=noise.wav'),
)


def through_gains(y, out, size):
    """Returns a function that applies the gains between y and out to a signal."""
    window = {'window': np.sqrt(signal.get_window('hann', size)), 'nperseg': size, 'noverlap': size * 3 // 4}
    before, after = (signal.stft(x, **window)[2] for x in (y, out))
    gains = after / np.where(before == 0, 1, before)
    gains /= np.maximum(np.abs(gains), 1)
    return lambda x: signal.istft(gains * signal.stft(x, **window)[2], **window)[1][:len(x)]


def cut(x, size):
    return x[:len(x) // size * size].reshape(-1, size)


def log_spectra(x, size):
    power = np.abs(signal.stft(x, nperseg=size, noverlap=size // 2)[2]) ** 2
    return 10 * np.log10(np.maximum(power, 1e-12))


def snr(clean, out):
    return 10 * np.log10(np.sum(clean ** 2) / np.sum((clean - out) ** 2))


def segmental(clean, out, size, active):
    error = np.sum((cut(clean, size) - cut(out, size)) ** 2, axis=1)[active] + 1e-12
    return np.mean(np.clip(10 * np.log10(np.sum(cut(clean, size) ** 2, axis=1)[active] / error), -10, 35))


def log_distance(clean, out, size):
    wanted, found = log_spectra(clean, size), log_spectra(out, size)
    least = wanted.max() - 50            # as Cohen has it
    error = np.maximum(wanted, least) - np.maximum(found, least)
    return np.mean(np.sqrt(np.mean(error ** 2, axis=0))[wanted.max(axis=0) > least + 10])


def measure(clean, y, out, rate):
    size = rate * 32 // 1000
    powers = np.sum(cut(clean, size) ** 2, axis=1)
    active = powers > powers.max() * 1e-4
    narrow = [signal.resample_poly(x, 16000, rate) for x in (clean, out)]
    apply = through_gains(y, out, 1 << int(np.ceil(np.log2(.025 * rate))))
    voice, rest = apply(clean), apply(y - clean)
    return {
        'SNR': snr(clean, out) - snr(clean, y),
        'segSNR': segmental(clean, out, size, active) - segmental(clean, y, size, active),
        'parts': 10 * np.log10(np.sum(voice ** 2) / np.sum(rest ** 2)) - snr(clean, y),
        'SDR': snr(clean, voice),
        'LSD': log_distance(clean, out, size),
        'PESQ': pesq(16000, *narrow, 'wb'),
        'STOI': stoi(*narrow, 16000),
    }


def main(rate):
    voices = list(make_voices(rate))
    print('| noise | SNR | program | SNR gain | segments | parts | SDR | LSD | PESQ | STOI |\n|---|---:|---|'
          + '---:|' * 7)
    for noise_name in NOISES:
        for wanted in SNRS:
            found = {name: [] for name, _ in PROGRAMS}
            for seed, (_, clean) in enumerate(voices):
                noise = make_noise(noise_name, len(clean) + 3 * rate, rate, seed + 1)
                noise *= np.sqrt(np.mean(clean ** 2)) * 10 ** (-wanted / 20)
                y = clean + noise[3 * rate:]
                for name, run in PROGRAMS:
                    found[name].append(measure(clean, y, run(y, noise[:3 * rate], rate), rate))
            for name, rows in found.items():
                mean = [np.mean([row[key] for row in rows]) for key in rows[0]]
                print(f'| {noise_name} | {wanted} | {name} | ' + ' | '.join(f'{v:.1f}' for v in mean[:5])
                      + f' | {mean[5]:.2f} | {mean[6]:.3f} |', flush=True)


if __name__ == '__main__':
    GPUFILTER = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as folder:
        os.chdir(folder)
        main(int((sys.argv[2:] or ['16000'])[0]))
