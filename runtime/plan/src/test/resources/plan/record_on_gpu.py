"""Runs scripts on a GPU and records what each took: peaks under two settings, and the allocator's history under the default one.

    python record_on_gpu.py OUTDIR JOBS script.py…

For each script OUTDIR/NAME.json has {"default": [allocated, reserved], "expandable": […], "allocations": N, "order": H}, H being the first
16 digits of SHA-256 of the requested sizes, in order, joined by commas; OUTDIR/NAME.history.gz has a line for each event of the default run:
+SIZE an allocation, -N the release of the N-th allocation, S SIZE ADDRESS a segment, s ADDRESS its return. A script that fails leaves "error".
"""
import concurrent.futures, gzip, hashlib, json, os, runpy, subprocess, sys, time

SETTINGS = {"default": "", "expandable": "expandable_segments:True"}


def one(script, out, history):
    import torch
    torch.cuda.init()
    if history:
        torch.cuda.memory._record_memory_history("all", context=None, max_entries=4_000_000)
    sys.argv = [script]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    begin, failed = time.time(), None
    try:
        held = runpy.run_path(script, run_name="__main__")
    except BaseException as e:
        failed = f"{type(e).__name__}: {str(e)[:300]}"
    torch.cuda.synchronize()
    stats = torch.cuda.memory_stats()
    result = {"peaks": [stats["allocated_bytes.all.peak"], stats["reserved_bytes.all.peak"]], "seconds": round(time.time() - begin, 1)}
    if failed:
        result["error"] = failed
    if history:
        lines, sizes, alive = [], [], {}
        for event in torch.cuda.memory._snapshot()["device_traces"][0]:
            action, address, size = event["action"], event["addr"], event["size"]
            if action == "alloc":
                alive[address] = len(sizes)
                sizes.append(size)
                lines.append(f"+{size}")
            elif action == "free_requested":
                lines.append(f"-{alive.pop(address, -1)}")
            elif action == "segment_alloc":
                lines.append(f"S {size} {address:x}")
            elif action == "segment_free":
                lines.append(f"s {address:x}")
        result["allocations"] = len(sizes)
        result["order"] = hashlib.sha256(",".join(map(str, sizes)).encode()).hexdigest()[:16]
        with gzip.open(out + ".history.gz", "wt") as f:
            f.write("\n".join(lines))
    with open(out + (".default" if history else ".expandable"), "w") as f:
        json.dump(result, f)


def run(script, name, out):
    environment = dict(os.environ, PYTORCH_CUDA_ALLOC_CONF=SETTINGS[name], PYTORCH_ALLOC_CONF=SETTINGS[name])
    if not SETTINGS[name]:
        del environment["PYTORCH_CUDA_ALLOC_CONF"], environment["PYTORCH_ALLOC_CONF"]
    done = subprocess.run([sys.executable, __file__, "--one", script, out, str(int(name == "default"))], env=environment,
                          capture_output=True, text=True)
    return done.stderr[-400:] if done.returncode else ""


def main(out, jobs, *scripts):
    os.makedirs(out, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        waiting = {(s, name): pool.submit(run, s, name, os.path.join(out, os.path.basename(s)[:-3])) for s in scripts for name in SETTINGS}
        results = {key: future.result() for key, future in waiting.items()}
    table = {}
    for script in scripts:
        stem = os.path.join(out, os.path.basename(script)[:-3])
        row = table[os.path.basename(script)[:-3]] = {}
        for name in SETTINGS:
            if not os.path.exists(stem + "." + name):
                row["error"] = results[script, name]
                continue
            with open(stem + "." + name) as f:
                found = json.load(f)
            os.remove(stem + "." + name)
            row[name] = found.pop("peaks")
            row.update(found)
    with open(os.path.join(out, "recorded.json"), "w") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in table.items()) + "\n}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        one(sys.argv[2], sys.argv[3], sys.argv[4] == "1")
    else:
        main(*sys.argv[1:])
