"""Models of models.py and its like with channels side by side, as people turn them: usage: last.py FILE MODEL OUTFILE, FILE models or models18

The network is turned on the host before .to(device), every batch of images on the device; marks as models.py's."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
file, name, out = sys.argv[1:4]
import models
from measured import *

source, plain = __import__(file), models.fill
models.fill = lambda net: plain(net).to(memory_format=torch.channels_last)
make_net, feeds, *rest = source.MODELS[name]
turned = lambda feed: lambda k: (lambda t: t.contiguous(memory_format=torch.channels_last) if t.dim() == 4 else t)(feed(k))
source.MODELS[name] = (make_net, [turned(feed) for feed in feeds], *rest)

torch.manual_seed(0); torch.cuda.init(); history(True)
done, error = None, None
try: done = models.train(name)
except Exception as e: error = f'{type(e).__name__}: {str(e)[:400]}'
t = trace()
row = dict(model=name + '_last', torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=True, marks=models.marks, losses=models.losses, evaluation=done, error=error, trace=t)
with gzip.open(out, 'wt') as f: json.dump(row, f, separators=(',', ':'))
print(name, len(models.marks), 'marks', len(t), 'events', error or '', flush=True)
