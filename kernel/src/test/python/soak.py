"""A long session in a short time: thousands of cells with tables, tensors, errors and declarations in one kernel.

    python soak.py [KERNELSPEC] [CELLS]

Prints, every twentieth of the way, what the kernel holds after a collection (heap, threads, classes loaded and not
unloaded, the process's resident memory) and the median time of each kind of cell. Exits with 1 if threads have grown
since the first tenth, heap by more than HEAP_BYTES a cell, classes by more than CLASSES a cell, or a median to more than
SLOWER times what it was. Needs jupyter_client (PyPI, or Debian's python3-jupyter-client).
"""
import statistics
import sys
import time

from jupyter_client.manager import start_new_kernel

NAME = sys.argv[1] if len(sys.argv) > 1 else "vramlab"
CELLS = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
PATIENCE = 120
HEAP_BYTES = 1_000
CLASSES = 0.01
SLOWER = 2.5

KINDS = {
    "value": "1 + {n}",
    "print": 'for (int i = 0; i < 20; i++) System.out.println("cell {n}, line " + i);',
    "rows": 'var rows = IntStream.range(0, 100).mapToObj(n -> new Row(n, "row " + (n + {n}))).toList(); rows',
    "tensors": "var x = Tensor.randn(64, 64); x.matmul(x).sum().item()",
    "table": 'Table stats = magic("memory_stats"); stats',
    "track": "%track --top 5",
    "class": "class Net{m} {{ int f() {{ return {n}; }} }}",
    "method": "int twice(int a) {{ return 2 * a + {n}; }}",
    "error": "rows.get(1000 + {n})",
    "compile error": "int broken{n} = ;",
}

STATE = """
{
    for (int i = 0; i < 3; i++) System.gc();
    var memory = Runtime.getRuntime();
    var classes = java.lang.management.ManagementFactory.getClassLoadingMXBean();
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    System.out.println("STATE " + (memory.totalMemory() - memory.freeMemory()) + " " + threads.getThreadCount() + " "
            + classes.getLoadedClassCount() + " " + ProcessHandle.current().pid());
}
"""


def run(client, code):
    """Runs a cell; its status, what it printed, seconds from request to idle."""
    begin = time.perf_counter()
    request = client.execute(code, stop_on_error=False)
    printed = []
    while True:
        message = client.get_iopub_msg(timeout=PATIENCE)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            break
    reply = client.get_shell_msg(timeout=PATIENCE)
    # waiting for the kernel may have left an answer behind
    while reply["parent_header"].get("msg_id") != request:
        reply = client.get_shell_msg(timeout=PATIENCE)
    return reply["content"]["status"], "".join(printed), time.perf_counter() - begin


def state(client):
    line = run(client, STATE)[1].split("STATE ")[1].split()
    heap, threads, classes, pid = (int(each) for each in line[:4])
    resident = "?"
    try:
        with open("/proc/%d/status" % pid) as status:
            resident = [each for each in status if each.startswith("VmRSS")][0].split()[1]
    except OSError:
        pass
    return {"heap": heap, "threads": threads, "classes": classes,
            "resident_mib": resident if resident == "?" else int(resident) // 1024}


def main():
    manager, client = start_new_kernel(kernel_name=NAME)
    try:
        run(client, "record Row(int n, String text) { }")
        times = {kind: [] for kind in KINDS}
        samples = []
        names = list(KINDS)
        print("%7s %10s %8s %8s %9s   median ms: %s" % ("cells", "heap KiB", "threads", "classes", "resident",
                                                         "  ".join(names)))
        for n in range(1, CELLS + 1):
            kind = names[n % len(names)]
            status, _, seconds = run(client, KINDS[kind].format(n=n, m=n % 7))
            wanted = "error" if "error" in kind else "ok"
            if status != wanted:
                raise AssertionError("cell %d (%s): %s" % (n, kind, status))
            times[kind].append(seconds * 1000)
            if n % max(1, CELLS // 20) == 0:
                now = state(client)
                now["medians"] = {kind: statistics.median(each) for kind, each in times.items() if each}
                times = {kind: [] for kind in KINDS}
                samples.append((n, now))
                print("%7d %10d %8d %8d %9s   %s" % (n, now["heap"] // 1024, now["threads"], now["classes"],
                                                    "%s MiB" % now["resident_mib"],
                                                    "  ".join("%.1f" % each for each in now["medians"].values())),
                      flush=True)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    # what is loaded and compiled late is there after a tenth
    (begin, early), (end, late) = samples[1], samples[-1]
    cells = end - begin
    wrong = []
    if late["threads"] > early["threads"] + 2:
        wrong.append("threads grew from %d to %d" % (early["threads"], late["threads"]))
    if late["heap"] - early["heap"] > HEAP_BYTES * cells:
        wrong.append("heap grew by %d bytes a cell" % ((late["heap"] - early["heap"]) // cells))
    if late["classes"] - early["classes"] > CLASSES * cells:
        wrong.append("classes grew by %.2f a cell" % ((late["classes"] - early["classes"]) / cells))
    for kind in KINDS:
        if late["medians"][kind] > SLOWER * early["medians"][kind]:
            wrong.append("%s went from %.1f to %.1f ms" % (kind, early["medians"][kind], late["medians"][kind]))
    print("\n".join(wrong) or "flat: heap %+d bytes a cell, classes %+.2f a cell" % (
        (late["heap"] - early["heap"]) // cells, (late["classes"] - early["classes"]) / cells))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
