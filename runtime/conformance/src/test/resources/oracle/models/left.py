"""einsum as PyTorch contracts without opt_einsum, from left to right: usage: left.py OUTFILE SECONDS"""
import sys
from merged import *
torch.backends.opt_einsum.enabled = False
rows = Rows(sys.argv[1], float(sys.argv[2]), opt_einsum=False)
for e, ins in Q:
    if 'einsum' in e:
        for mode in ('grad', 'nograd', 'autocast'):
            rows.add(f'{e}|{", ".join(ins)}|{mode}', case(e, ins, 'grad' if mode == 'autocast' else mode), torch.bfloat16 if mode == 'autocast' else None, mode != 'nograd', expression=e, inputs=ins, mode=mode, random=False)
rows.end()
