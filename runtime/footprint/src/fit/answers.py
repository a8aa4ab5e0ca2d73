"""Asks cuDNN, without a GPU, how it computes convolutions: usage: answers.py LAYERS OUTFILE [SECONDS]

LAYERS as asked.py reads them; OUTFILE has each with bytes, engine and settings behind it, joined by commas. table.py makes answers.bin.gz of it. Two processes."""
import gzip, multiprocessing, sys, time
import asked

PARTS = 2


def ask(part):
    lines, end = part
    cudnn, found = asked.described.find(asked.H200), []
    for line in lines:
        if time.time() > end: break
        f = line.split()
        n, c, k, g = map(int, f[3:7])
        into, kernel, step, padding, dilation = ([int(v) for v in w.split(',')] for w in f[7:12])
        out = [(x + 2 * p - d * (w - 1) - 1) // s + 1 for x, w, s, p, d in zip(into, kernel, step, padding, dilation)]
        answer = cudnn.answer(int(f[0]), f[2], f[1] == '1', (n, c, *into), (k, c // g, *kernel), (n, k, *out), step, padding, dilation)
        if answer is not None: found.append(f'{line} {",".join(map(str, answer))}')
    return found


def main(layers, out, seconds=1e9):
    with open(layers) as f: lines = list(dict.fromkeys(f.read().splitlines()))
    with multiprocessing.get_context('spawn').Pool(PARTS) as pool:
        answers = pool.map(ask, [(lines[i::PARTS], time.time() + float(seconds)) for i in range(PARTS)], 1)
    found = sorted(line for some in answers for line in some)
    with open(out, 'wb') as f, gzip.GzipFile(fileobj=f, mode='wb', mtime=0, filename='') as z: z.write(('\n'.join(found) + '\n').encode())
    print(f'{len(found)} of {len(lines)} answered')


if __name__ == '__main__': main(*sys.argv[1:])
