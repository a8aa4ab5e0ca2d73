"""Every optimizer: three steps over two Linear layers and a vector; and the values of schedulers: usage: optimizers.py OUTFILE SECONDS

Steps: what each takes (figures, trace), and the parameters after each. Gradients are value(i) with the seeds 100 * step + k."""
import sys, os
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measured import *
import torch.nn as nn
import torch.optim as O

CASES = []
def o(name, forms=('loop', 'foreach'), **kw):
    for f in forms: CASES.append((name, f, kw))
for n, options in dict(SGD=[dict(), dict(momentum=.9), dict(momentum=.9, nesterov=True), dict(momentum=.9, dampening=.1, weight_decay=.01), dict(weight_decay=.01), dict(maximize=True, momentum=.9)],
    Adam=[dict(), dict(weight_decay=.01), dict(amsgrad=True), dict(maximize=True)], AdamW=[dict(), dict(weight_decay=.1), dict(amsgrad=True), dict(maximize=True)]).items():
    for kw in options: o(n, ('loop', 'foreach', 'fused'), **kw)
for kw in (dict(), dict(weight_decay=.01), dict(lr_decay=.01), dict(initial_accumulator_value=.1), dict(maximize=True)): o('Adagrad', ('loop', 'foreach'), **kw)
o('Adagrad', ('fused',))
for kw in (dict(), dict(weight_decay=.01), dict(rho=.8), dict(maximize=True)): o('Adadelta', **kw)
for kw in (dict(), dict(weight_decay=.01), dict(momentum=.9), dict(centered=True), dict(centered=True, momentum=.9), dict(maximize=True)): o('RMSprop', **kw)
for kw in (dict(), dict(weight_decay=.01), dict(maximize=True)): o('Adamax', **kw)
for kw in (dict(), dict(weight_decay=.01), dict(weight_decay=.01, decoupled_weight_decay=True), dict(maximize=True)): o('NAdam', **kw)
for kw in (dict(), dict(weight_decay=.01), dict(weight_decay=.01, decoupled_weight_decay=True), dict(maximize=True)): o('RAdam', **kw)
for kw in (dict(), dict(weight_decay=.01), dict(maximize=True)): o('ASGD', **kw)
for kw in (dict(), dict(maximize=True)): o('Rprop', **kw)
o('Adafactor'); o('Adafactor', weight_decay=.01); o('Muon', ('plain',)); o('LBFGS', ('plain',)); o('LBFGS', ('plain',), line_search_fn='strong_wolfe'); o('SparseAdam', ('plain',))

def parameters(name):
    shapes = [[256, 384], [128, 256]] if name == 'Muon' else [[1000, 64]] if name == 'SparseAdam' else [[256, 384], [256], [10, 256], [10], [700, 600]]
    return [nn.Parameter(value(s, 10 + k).to(dev)) for k, s in enumerate(shapes)]

def steps(name, form, kw, n):
    clean(); ps = parameters(name)
    more = {} if form == 'plain' else dict(foreach=form == 'foreach') if form != 'fused' else dict(fused=True)
    opt = getattr(O, name)(ps, **kw, **more); rows = []
    for s in range(n):
        for k, p in enumerate(ps):
            g = value(list(p.shape), 100 * s + k)
            if name == 'SparseAdam': i = torch.arange(0, 1000, 7); g = torch.sparse_coo_tensor(i[None], g[i], p.shape).coalesce()
            p.grad = g.to(dev)
        history(True); reset(); base = stats()
        if name == 'LBFGS': opt.step(lambda: (lambda l: l)(sum((p.detach() * p.grad).sum() for p in ps)))
        else: opt.step()
        f = stats(); t = trace(); history(False)
        rows.append(dict(figures=figures(f, base), trace=t, values=[summary(p) for p in ps]))
        for p in ps: p.grad = None
    state = {k: summary(v) if isinstance(v, torch.Tensor) else v for k, v in opt.state[ps[0]].items() if isinstance(v, (torch.Tensor, int, float))}
    keys = {k: [str(v.dtype)[6:], str(v.device.type), list(v.shape)] if isinstance(v, torch.Tensor) else type(v).__name__ for k, v in opt.state[ps[0]].items()}
    return dict(steps=rows, state=state, state_keys=keys, defaults={k: v for k, v in opt.defaults.items() if isinstance(v, (int, float, bool, str, type(None), tuple))})

S = O.lr_scheduler
SCHEDULERS = {
 'LambdaLR': lambda o: S.LambdaLR(o, lambda e: .9 ** e), 'MultiplicativeLR': lambda o: S.MultiplicativeLR(o, lambda e: .95), 'StepLR': lambda o: S.StepLR(o, 3), 'StepLR .5': lambda o: S.StepLR(o, 2, .5), 'MultiStepLR': lambda o: S.MultiStepLR(o, [3, 7, 7], .3),
 'ConstantLR': lambda o: S.ConstantLR(o), 'ConstantLR .5 4': lambda o: S.ConstantLR(o, .5, 4), 'LinearLR': lambda o: S.LinearLR(o), 'LinearLR .1 .8 7': lambda o: S.LinearLR(o, .1, .8, 7), 'ExponentialLR': lambda o: S.ExponentialLR(o, .9), 'CosineAnnealingLR': lambda o: S.CosineAnnealingLR(o, 10), 'CosineAnnealingLR 5 .01': lambda o: S.CosineAnnealingLR(o, 5, .01),
 'PolynomialLR': lambda o: S.PolynomialLR(o), 'PolynomialLR 8 2': lambda o: S.PolynomialLR(o, 8, 2.), 'CyclicLR': lambda o: S.CyclicLR(o, .01, .1, 4), 'CyclicLR triangular2': lambda o: S.CyclicLR(o, .01, .1, 3, 5, 'triangular2'), 'CyclicLR exp_range': lambda o: S.CyclicLR(o, .01, .1, 3, mode='exp_range', gamma=.9), 'CosineAnnealingWarmRestarts': lambda o: S.CosineAnnealingWarmRestarts(o, 5), 'CosineAnnealingWarmRestarts 3 2': lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2, .01),
 'OneCycleLR': lambda o: S.OneCycleLR(o, .5, 25), 'OneCycleLR linear three': lambda o: S.OneCycleLR(o, .5, 25, anneal_strategy='linear', three_phase=True), 'SequentialLR': lambda o: S.SequentialLR(o, [S.LinearLR(o, .1, 1., 5), S.ExponentialLR(o, .9)], [5]), 'SequentialLR three': lambda o: S.SequentialLR(o, [S.ConstantLR(o, .1, 3), S.LinearLR(o, .5, 1., 4), S.CosineAnnealingLR(o, 10)], [4, 9]), 'ChainedScheduler': lambda o: S.ChainedScheduler([S.ConstantLR(o, .1, 4), S.ExponentialLR(o, .9)]),
 'ReduceLROnPlateau': lambda o: S.ReduceLROnPlateau(o, patience=2), 'ReduceLROnPlateau max abs': lambda o: S.ReduceLROnPlateau(o, 'max', .5, 1, .05, 'abs', 1, .001), 'LambdaLR two groups': lambda o: S.LambdaLR(o, [lambda e: .9 ** e, lambda e: 1 / (1 + e)]),
}
def schedule(make):
    ps = parameters('SGD'); o = O.SGD([dict(params=ps[:2]), dict(params=ps[2:], lr=.3)], lr=.1, momentum=.9); s = make(o); out = []
    for e in range(25):
        out.append([g['lr'] for g in o.param_groups] + [o.param_groups[0]['momentum']])
        o.step()
        if isinstance(s, S.ReduceLROnPlateau): s.step([1., .9, .9, .91, .9, .95, .8, .8, .8, .8, .79999, .8, .8, .7, .7, .7, .7, .7, .7, .7, .7, .7, .7, .7, .7][e])
        else: s.step()
    return out

if __name__ == '__main__':
    rows = Rows(sys.argv[1], float(sys.argv[2]))
    for name, form, kw in CASES:
        key = f'{name}|{form}|{json.dumps(kw)}'
        try: steps(name, form, kw, 2); row = steps(name, form, kw, 6 if name == 'RAdam' else 3)
        except Exception as e: row = dict(error=f'{type(e).__name__}: {str(e)[:300]}'); history(False)
        rows.write(dict(key=key, optimizer=name, form=form, options=kw, **row)); rows.n += 1
    for name, make in SCHEDULERS.items():
        try: row = dict(rates=schedule(make))
        except Exception as e: row = dict(error=f'{type(e).__name__}: {str(e)[:300]}')
        rows.write(dict(key=name, scheduler=name, **row)); rows.n += 1
    rows.end()
