"""Runs cells in a fresh kernel through jupyter_client, as a notebook's server does: run_cells.py KERNEL CELLS, prints what each showed.

CELLS is a JSON list of texts; so is what is printed, of the plain texts of each cell's outputs and of its error.
"""
import json
import sys

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(startup_timeout=120, kernel_name=sys.argv[1])
told = []
try:
    for cell in json.loads(sys.argv[2]):
        texts = []

        def output(message):
            content = message["content"]
            if message["msg_type"] in ("execute_result", "display_data"):
                texts.append(content["data"].get("text/plain", ""))
            elif message["msg_type"] == "stream":
                texts.append(content["text"])
            elif message["msg_type"] == "error":
                texts.append(content["ename"] + ": " + content["evalue"])

        client.execute_interactive(cell, output_hook=output, timeout=120, allow_stdin=False)
        told.append("\n".join(texts))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
print(json.dumps(told))
