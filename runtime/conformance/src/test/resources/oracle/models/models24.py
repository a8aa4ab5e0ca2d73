"""Gradients of gradients, by models.py's loop and marks: usage: models24.py MODEL OUTFILE [--exact], or models24.py list; recorded
without a GPU: vramlab_trace.py -o MODEL.trace --device H200 models24.py MODEL -"""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import models8
from models8 import *
grad = torch.autograd.grad
planned = sys.argv[2:] == ['-']           # under vramlab_trace.py: the recorder follows the program itself, nothing is marked
if planned: mark = lambda name: None

def mlp(act, *sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]): layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])

def critic():
    """A critic of vectors whose gradient's norm is held near one"""
    net = fill(mlp(nn.LeakyReLU, 64, 256, 256, 1)).to(dev); mark('model'); opt = O.Adam(net.parameters(), lr=1e-4); mark('optimizer')
    for step in range(3):
        real, other, e = make('c 128 64', step + 1), make('c 128 64', step + 11), make('q 128 1', step + 21); mark(f'{step} inputs')
        x = (e * real + (1 - e) * other).requires_grad_(True); y = net(x); mark(f'{step} forward'); g, = grad(y.sum(), x, create_graph=True); mark(f'{step} gradient')
        loss = net(other).mean() - net(real).mean() + 10 * ((g.norm(2, dim=1) - 1) ** 2).mean(); mark(f'{step} loss'); opt.zero_grad(); loss.backward(); mark(f'{step} backward'); opt.step(); mark(f'{step} step'); losses.append(loss.item())
    del real, other, e, x, y, g, loss; mark('losses deleted'); return None

def hvp():
    """Products of the Hessian with a vector, by two passes"""
    net = fill(mlp(nn.Sigmoid, 32, 128, 128, 4)).to(dev); mark('model'); p = list(net.parameters()); v = [make('c ' + ' '.join(map(str, w.shape)), 31 + i) for i, w in enumerate(p)]; mark('vector')
    for step in range(3):
        x, y = make('c 64 32', step + 1), make('c 64 4', step + 11); mark(f'{step} inputs'); loss = F.mse_loss(net(x), y); mark(f'{step} forward')
        g = grad(loss, p, create_graph=True); mark(f'{step} gradient'); s = sum((a * b).sum() for a, b in zip(g, v)); mark(f'{step} product'); h = grad(s, p); mark(f'{step} again'); losses.append(s.item()); v = [a / 10 for a in h]; mark(f'{step} next')
    del x, y, loss, g, s, h; mark('losses deleted'); return None

def pinn():
    """The heat equation in a network's derivatives"""
    net = fill(mlp(nn.Tanh, 2, 64, 64, 64, 1)).to(dev); mark('model'); opt = O.Adam(net.parameters(), lr=1e-3); mark('optimizer')
    for step in range(3):
        x, t = make('c 500 1', step + 1).requires_grad_(True), make('c 500 1', step + 11).requires_grad_(True); mark(f'{step} inputs'); u = net(torch.cat([x, t], 1)); mark(f'{step} forward'); ones = torch.ones_like(u)
        ux, ut = grad(u, (x, t), ones, create_graph=True); mark(f'{step} first'); uxx, = grad(ux, x, ones, create_graph=True); mark(f'{step} second'); loss = (ut - .1 * uxx).pow(2).mean() + u.pow(2).mean(); mark(f'{step} loss')
        opt.zero_grad(); loss.backward(); mark(f'{step} backward'); opt.step(); mark(f'{step} step'); losses.append(loss.item())
    del x, t, u, ones, ux, ut, uxx, loss; mark('losses deleted'); return None

def r1():
    """A critic of pictures, its gradient at real ones held small"""
    c = 32; net = fill(nn.Sequential(nn.Conv2d(3, c, 4, 2, 1), nn.LeakyReLU(.2), nn.Conv2d(c, 2 * c, 4, 2, 1), nn.LeakyReLU(.2), nn.Conv2d(2 * c, 4 * c, 4, 2, 1), nn.LeakyReLU(.2), nn.Flatten(), nn.Linear(64 * c, 1))).to(dev); mark('model'); opt = O.Adam(net.parameters(), lr=1e-4); mark('optimizer')
    for step in range(3):
        x, z = make('c 16 3 32 32', step + 1).requires_grad_(True), make('c 16 3 32 32', step + 11); mark(f'{step} inputs'); y = net(x); loss = F.softplus(-y).mean() + F.softplus(net(z)).mean(); mark(f'{step} forward')
        g, = grad(y.sum(), x, create_graph=True); mark(f'{step} gradient'); loss = loss + 5 * g.pow(2).flatten(1).sum(1).mean(); mark(f'{step} loss'); opt.zero_grad(); loss.backward(); mark(f'{step} backward'); opt.step(); mark(f'{step} step'); losses.append(loss.item())
    del x, z, y, g, loss; mark('losses deleted'); return None

def kept():
    """backward whose gradients keep their graph, and a second one through them"""
    net = fill(mlp(nn.Softplus, 16, 64, 64, 1)).to(dev); mark('model')
    for step in range(3):
        x = make('c 32 16', step + 1); mark(f'{step} inputs'); loss = net(x).pow(2).mean(); mark(f'{step} forward'); loss.backward(create_graph=True); mark(f'{step} backward'); size = sum(w.grad.pow(2).sum() for w in net.parameters()); mark(f'{step} size')
        size.backward(); mark(f'{step} again'); losses.append(size.item())
        with torch.no_grad():
            for w in net.parameters(): w.sub_(w.grad, alpha=.01); w.grad = None
        mark(f'{step} step'); del loss, size; mark(f'{step} deleted')
    return None

def places():
    """The numbers of nodes: those of forward, those that a pass makes"""
    x = torch.ones(2, device=dev, requires_grad=True); y = (x * x * x).sum(); n = lambda t: t.grad_fn._sequence_nr(); g, = grad(y, x, create_graph=True); z = (g * g).sum(); h, = grad(z, x, create_graph=True); w = h * 2
    return [n(y), n(g), n(z), n(h), n(w)]

OWN = dict(critic=critic, hvp=hvp, pinn=pinn, r1=r1, kept=kept, places=places)
if __name__ == '__main__':
    if sys.argv[1] == 'list': print(*OWN); sys.exit()
    name = sys.argv[1]; torch.manual_seed(0); exact = '--exact' in sys.argv
    if exact: torch.backends.cudnn.allow_tf32 = False
    if planned: OWN[name](); sys.exit()
    if not fake: torch.cuda.init(); history(True)
    out = None; error = None
    try: out = OWN[name]()
    except Exception as e: error = f'{type(e).__name__}: {str(e)[:400]}'
    t = trace()
    row = dict(model=name, torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=not exact, marks=marks, losses=losses, evaluation=out, error=error, trace=t)
    with gzip.open(sys.argv[2], 'wt') as f: json.dump(row, f, separators=(',', ':'))
    print(name, len(marks), 'marks', len(t), 'events', losses, error or '', flush=True)
