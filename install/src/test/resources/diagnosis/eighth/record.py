"""Runs PyTorch programs on a GPU under a memory limit and keeps the snapshot that each would have given its author.

    record.py OUTDIR JOBS PROGRAM.py…

A program's first comment `# limit: N` (GiB) is what it may use. Each is run with Python stacks (`plain`), and every second one, by the SHA-256 of its
name, once more without (`nostack`). The snapshot is taken where an author takes it: where torch.OutOfMemoryError leaves the program, with the
exception's frames still there; else, after a failure that the program caught, at its end, as at the end of one that did not fail.
OUTDIR/NAME.VARIANT.pickle.gz, and OUTDIR/ran.json with what became of each.
"""
import concurrent.futures, gzip, hashlib, json, os, pickle, re, runpy, subprocess, sys, time


def limit(program):
    with open(program) as f:
        found = re.search(r"#\s*limit:\s*([0-9.]+)", f.read())
    return float(found.group(1))


def one(program, out, variant):
    import torch
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(limit(program) * 2**30 / total)
    torch.cuda.memory._record_memory_history("all", context="all" if variant == "plain" else None, stacks="python", max_entries=1_000_000)
    sys.argv = [program]
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    os.chdir(sys.path[0])
    begin, failed = time.time(), None
    try:
        kept = runpy.run_path(os.path.basename(program), run_name="__main__")
    except BaseException as e:
        failed = f"{type(e).__name__}: {str(e)[:200]}"
        torch.cuda.synchronize()
        snapshot = torch.cuda.memory._snapshot()
    else:
        torch.cuda.synchronize()
        snapshot = torch.cuda.memory._snapshot()
    with gzip.open(out + ".pickle.gz", "wb", compresslevel=9) as f:
        pickle.dump(snapshot, f)
    with open(out + ".json", "w") as f:
        json.dump({"failed": failed, "seconds": round(time.time() - begin, 1), "events": sum(map(len, snapshot["device_traces"])),
                   "ooms": sum(e["action"] == "oom" for t in snapshot["device_traces"] for e in t),
                   "peak_gib": round(torch.cuda.max_memory_allocated() / 2**30, 3)}, f)


def run(program, out, variant):
    path = os.path.join(out, os.path.basename(program)[:-3] + "." + variant)
    try:
        done = subprocess.run([sys.executable, os.path.abspath(__file__), "--one", os.path.abspath(program), os.path.abspath(path), variant],
                              capture_output=True, text=True, timeout=150)
        said = done.stderr[-300:]
    except subprocess.TimeoutExpired:
        said = "timeout"
    if os.path.exists(path + ".json"):
        with open(path + ".json") as f:
            result = json.load(f)
        os.remove(path + ".json")
        return result
    return {"error": said}


def main(out, jobs, *programs):
    os.makedirs(out, exist_ok=True)
    wanted = [(p, v) for p in programs for v in ("plain", "nostack")
              if v == "plain" or hashlib.sha256(os.path.basename(p)[:-3].encode()).digest()[0] % 2 == 0]
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        waiting = {f"{os.path.basename(p)[:-3]}.{v}": pool.submit(run, p, out, v) for p, v in wanted}
    table = {name: future.result() for name, future in waiting.items()}
    with open(os.path.join(out, "ran.json"), "w") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in table.items()) + "\n}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        one(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
