"""Runs scripts on a GPU again under limits: 0.9 to 1.1 of the reserved memory that each took; tells which end.

    python limits.py OUT.json JOBS SECONDS RECORDED.json script.py…

RECORDED.json is what record_on_gpu.py wrote of them. OUT.json has for "NAME PART" what became of it: "ended", "oom" (torch.OutOfMemoryError left
the program) or an error's text, how often the allocator gave its cache back to try again, how often it failed all the same, and peaks.
"""
import concurrent.futures
import json
import os
import runpy
import subprocess
import sys
import time

PARTS = (0.9, 0.97, 1.0, 1.03, 1.1)
PAGE = 2 << 20


def one(script, limit):
    import torch
    torch.cuda.init()
    torch.cuda.set_per_process_memory_fraction((int(limit) + 1) / torch.cuda.get_device_properties(0).total_memory)
    sys.argv = [script]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    said = "ended"
    try:
        runpy.run_path(script, run_name="__main__")
    except torch.OutOfMemoryError:
        said = "oom"
    except SystemExit:
        pass
    except BaseException as e:
        said = f"{type(e).__name__}: {str(e)[:160]}"
    s = torch.cuda.memory_stats()
    print("RESULT", json.dumps({"said": said, "retries": s["num_alloc_retries"], "ooms": s["num_ooms"],
                                "reserved": s["reserved_bytes.all.peak"], "allocated": s["allocated_bytes.all.peak"]}), flush=True)
    os._exit(0)


def run(script, limit, until):
    left = until - time.time()
    if left < 5:
        return {"said": "no time"}
    try:
        out = subprocess.run([sys.executable, __file__, "--one", script, str(limit)], capture_output=True, text=True, timeout=left)
    except subprocess.TimeoutExpired:
        return {"said": "timeout"}
    found = [line for line in out.stdout.splitlines() if line.startswith("RESULT ")]
    return json.loads(found[-1][7:]) if found else {"said": "nothing", "error": out.stderr[-200:]}


def main(out, jobs, seconds, recorded, *scripts):
    until = time.time() + float(seconds)
    with open(recorded) as f:
        took = json.load(f)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        waiting = {}
        for part in PARTS:
            for script in scripts:
                name = os.path.basename(script)[:-3]
                peak = took[name]["default"][1]
                limit = peak if part == 1 else int(peak * part) // PAGE * PAGE
                waiting[f"{name} {part}"] = pool.submit(run, script, limit, until)
        results = {name: future.result() for name, future in waiting.items()}
    with open(out, "w") as f:
        f.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(results.items())) + "\n}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        one(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
