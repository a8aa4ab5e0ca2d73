"""Random programs about copies and states of modules and optimizers, written twice, and what CPython keeps alive while the first
of them runs.

usage: as lifetimes.py

What lifetimes_owners.py does, and: deep copies; state dicts of modules and optimizers, kept, loaded again and elsewhere; groups of
parameters; torch.nn.init; weights that are assigned, shared and taken away; averaged models; schedules of all kinds; optimizers of
one's own; checkpoints over modules, lists of them and lambdas; packed sequences. Seeds from 9000 on have what only a GPU's
allocator could be compared with too: recurrent layers over packed sequences, Adam.

What CPU tensors the library makes for a moment, or counts steps with, a GPU's allocator never sees; after such a statement
big() makes something larger, so that the most since the mark before is not theirs. Record under COUNT_SKIP=24,40: the lengths and the
batch sizes of packed sequences are CPU tensors.
"""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
OWNERS = {'__name__': 'owners', '__file__': os.path.join(HERE, 'lifetimes_owners.py')}
exec(compile(open(os.path.join(HERE, 'lifetimes_owners.py')).read(), 'lifetimes_owners.py', 'exec'), OWNERS)

PYTHON = OWNERS['PYTHON'] + '''
import copy, warnings
warnings.simplefilter('ignore')
from torch.utils.checkpoint import checkpoint_sequential
from torch.optim import lr_scheduler
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, SWALR
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
def big():
    torch.ones(64, 64)
class Velocity(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))
        self.last = None
    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is not None:
                    self.update(group, p, p.grad, self.state[p])
    def update(self, group, param, grad, state):
        if 'velocity' not in state:
            state['velocity'] = torch.zeros_like(param)
        v = state['velocity']
        v.mul_(0.9).add_(grad)
        d = v.mul(group['lr'])
        param.sub_(d)
        mark()
class Keeper(Velocity):
    def update(self, group, param, grad, state):
        self.last = grad.mul(0.5)
        super().update(group, param, self.last, state)
        state['last'] = self.last
def copies(model, n):
    return [copy.deepcopy(model) for i in range(n)]
def snapshot(model):
    all = {}
    for name, value in model.state_dict().items():
        all[name] = value.clone()
    return all
def first(state):
    for value in state.values():
        return value
def averaged(model):
    return AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
def followed(model, n):
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.5))
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
    for i in range(n):
        model(torch.ones(2, 16)).mean().backward()
        opt.step()
        opt.zero_grad()
        average.update_parameters(model)
        big()
        mark()
    return average
def checked(model, x):
    return checkpoint(lambda t: model(t).relu(), x, use_reentrant=False, preserve_rng_state=False)
def in_parts(model, n, x):
    return checkpoint_sequential(model, n, x, use_reentrant=False, preserve_rng_state=False)
def weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        if m.bias is not None: nn.init.zeros_(m.bias)
def resumed(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
    model(torch.ones(2, 16)).mean().backward()
    opt.step()
    state = opt.state_dict()
    again = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
    again.load_state_dict(state)
    mark()
    opt = None
    mark()
    again.step()
    again.zero_grad()
    mark()
    return again
def doubled(packed):
    packed = PackedSequence(packed.data.mul(2), packed.batch_sizes)
    mark()
    return packed
'''
JAVA = OWNERS['JAVA'] + '''
static void big() { Tensor.ones(64, 64); }
static class Velocity extends CustomOptimizer {
    Tensor last;
    Velocity(List<?> params, double lr) { super(params, Map.of("lr", lr)); }
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        var v = state.zeros("velocity", param);
        v.mul_(0.9).add_(grad);
        var d = v.mul(group.get("lr"));
        param.sub_(d);
        mark();
    }
}
static class Keeper extends Velocity {
    Keeper(List<?> params, double lr) { super(params, lr); }
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        last = grad.mul(0.5);
        super.update(group, param, last, state);
        state.set("last", last);
    }
}
static List<io.vramlab.nn.Module> copies(io.vramlab.nn.Module model, int n) {
    List<io.vramlab.nn.Module> all = new ArrayList<>();
    for (int i = 0; i < n; i++) { all.add(io.vramlab.nn.Module.deepCopy(model)); }
    return all;
}
static Map<String, Tensor> snapshot(io.vramlab.nn.Module model) {
    Map<String, Tensor> all = new LinkedHashMap<>();
    for (var e : model.stateDict().entrySet()) { all.put(e.getKey(), e.getValue().clone()); }
    return all;
}
static Tensor first(Map<String, Tensor> state) {
    for (var value : state.values()) { return value; }
    return null;
}
static AveragedModel averaged(io.vramlab.nn.Module model) { return AveragedModel.ema(model, 0.9); }
static AveragedModel followed(io.vramlab.nn.Module model, int n) {
    var average = AveragedModel.ema(model, 0.5);
    var opt = new SGD(model.parameters(), 0.1).momentum(0.9);
    for (int i = 0; i < n; i++) {
        model.call(Tensor.ones(2, 16)).mean().backward();
        opt.step();
        opt.zeroGrad();
        average.updateParameters(model);
        big();
        mark();
    }
    return average;
}
static Tensor checked(io.vramlab.nn.Module model, Tensor x) { return Checkpoint.checkpoint(t -> model.call(t).relu(), x); }
static Tensor in_parts(Sequential model, int n, Tensor x) {
    return Checkpoint.sequential(model.children().stream().map(m -> (UnaryOperator<Tensor>) m::call).toList(), n, x);
}
static void weights(io.vramlab.nn.Module m) {
    if (m instanceof Linear l) {
        Init.xavierUniform_(l.weight);
        if (l.bias != null) Init.zeros_(l.bias);
    }
}
static SGD resumed(io.vramlab.nn.Module model) {
    var opt = new SGD(model.parameters(), 0.1).momentum(0.9);
    model.call(Tensor.ones(2, 16)).mean().backward();
    opt.step();
    var state = opt.stateDict();
    var again = new SGD(model.parameters(), 0.1).momentum(0.9);
    again.loadStateDict(state);
    mark();
    opt = null;
    mark();
    again.step();
    again.zeroGrad();
    mark();
    return again;
}
static PackedSequence doubled(PackedSequence packed) {
    packed = new PackedSequence(packed.data().mul(2), packed.batchSizes(), null, null);
    mark();
    return packed;
}
'''
OWNERS['TYPES'].update(A='AveragedModel', K='Map<String, Object>', W='Map<String, Tensor>', V='List<Map<String, Tensor>>', G='ParamGroup',
                       Y='Velocity', E='Scheduler', B='PackedSequence', Z='Adam', R='LSTM')
SCHEDULES = [('lr_scheduler.ExponentialLR({0}, 0.9)', 'new ExponentialLR({0}, 0.9)'),
             ('lr_scheduler.CosineAnnealingLR({0}, 5)', 'new CosineAnnealingLR({0}, 5)'),
             ('lr_scheduler.LambdaLR({0}, lambda e: 0.5)', 'new LambdaLR({0}, e -> 0.5)'),
             ('lr_scheduler.LinearLR({0})', 'new LinearLR({0})'),
             ('SWALR({0}, 0.05)', 'new SWALR({0}, 0.05)'),
             ('lr_scheduler.SequentialLR({0}, [lr_scheduler.LinearLR({0}), lr_scheduler.ExponentialLR({0}, 0.9)], [2])',
              'new SequentialLR({0}, List.of(new LinearLR({0}), new ExponentialLR({0}, 0.9)), 2)'),
             ('lr_scheduler.ChainedScheduler([lr_scheduler.LinearLR({0}), lr_scheduler.ExponentialLR({0}, 0.9)], {0})',
              'new ChainedScheduler({0}, List.of(new LinearLR({0}), new ExponentialLR({0}, 0.9)))')]
CHECKED = ', use_reentrant=False, preserve_rng_state=False)'
MODULE = 'io.vramlab.nn.Module'


class Program(OWNERS['Program']):

    def __init__(self, seed, index):
        super().__init__(seed, index)
        self.all = seed >= 9000
        self.changes = 0        # of forms: what was made to follow one follows it no longer
        self.follows = {}

    def statement(self):
        if self.r.random() < 0.5:
            before, names = len(self.py), set(self.of(*OWNERS['TYPES']))
            super().statement()
            for line in self.py[before:]:
                target = line.split(' = ')[0].strip()
                if '.append(' in line or ' = ' in line and (not target.isidentifier() or target in names):
                    self.changes += 1
        else:
            kinds = [getattr(self, each) for each in dir(Program) if each.startswith('state_')]
            for _ in range(4):
                if self.r.choice(kinds)() is not False:
                    break
            self.mark()

    def one(self, *kinds):
        known = self.of(*kinds)
        return self.r.choice(known) if known else None

    def forget(self, *kinds):
        v = self.one(*kinds)
        if v:
            self.s(f'{v} = None', f'{v} = null;')
            self.drop(v)

    def given(self):
        """A tensor with a graph to itself, or none."""
        return self.r.choice([('torch.ones(4, 16)', 'Tensor.ones(4, 16)'),
                              ('torch.ones(4, 16).requires_grad_(True)', 'Tensor.ones(4, 16).requiresGrad_(true)')])

    # ---- deep copies ----

    def state_copy(self):
        n = self.one('M', 'S', 'N')
        if not n:
            return False
        how = self.r.randrange(6)
        if how <= 1:
            kind = next(k for each in self.scopes for v, k in each.items() if v == n)
            self.new(kind, f'copy.deepcopy({n})', f'{MODULE}.deepCopy({n})')
        elif how == 2:
            self.new('N', f'Net(copy.deepcopy({n}))', f'new Net({MODULE}.deepCopy({n}))')
        elif how == 3:
            self.new('L', f'copies({n}, 2)', f'copies({n}, 2)')
        elif how == 4:
            self.new('S', f'nn.Sequential({n}, copy.deepcopy({n}))', f'new Sequential({n}, {MODULE}.deepCopy({n}))')
        else:
            self.new('T', f'copy.deepcopy({n})(torch.ones(4, 16))', f'{MODULE}.deepCopy({n}).call(Tensor.ones(4, 16))')

    def state_copy_fresh(self):
        p, j = self.module(1)
        cast = f'({MODULE}) ' if j.isidentifier() else ''
        self.new('M', f'copy.deepcopy({p})', f'{MODULE}.deepCopy({cast}{j})')

    # ---- states ----

    def state_of_optimizer(self):
        o = self.one('O', 'Y')
        if not o:
            return False
        how = self.r.randrange(4)
        if how == 0:
            self.s(f'{o}.load_state_dict({o}.state_dict())', f'{o}.loadStateDict({o}.stateDict());')
        elif how <= 2:
            k = self.new('K', f'{o}.state_dict()', f'{o}.stateDict()')
            self.follows[k] = o
        else:
            k = self.one('K')
            if not k or self.follows.get(k) not in self.of('O', 'Y'):
                return False
            o = self.follows[k]
            self.s('try:', 'try {')
            self.s(f'    {o}.load_state_dict({k})', f'    {o}.loadStateDict({k});')
            self.s('except ValueError:', '} catch (IllegalArgumentException e) {')
            self.s('    mark()', '    mark();')
            self.s(None, '}')

    def state_forgotten(self):
        self.forget(*self.r.choice(['K', 'W', 'V', 'A', 'G', 'E', 'Y', 'B', 'O', 'T', 'P', 'MSN', 'MSN', 'KWVAGEYBTPQ']))

    def state_resumed(self):
        n = self.one('M', 'S', 'N')
        if not n:
            return False
        self.new('O', f'resumed({n})', f'resumed({n})')

    def state_of_module(self):
        n = self.one('M', 'S', 'N', 'A')
        if not n:
            return False
        how = self.r.randrange(7)
        if how <= 1:
            w = self.new('W', f'{n}.state_dict()', f'{n}.stateDict()')
            self.follows[w] = n, self.changes
        elif how == 2:
            w = self.new('W', f'snapshot({n})', f'snapshot({n})')
            self.follows[w] = n, self.changes
        elif how == 3:
            self.s(f'{n}.load_state_dict({n}.state_dict())', f'{n}.loadStateDict({n}.stateDict());')
        elif how == 4:
            w = self.one('W')
            if not w or self.follows[w][1] != self.changes or self.follows[w][0] not in self.of('M', 'S', 'N', 'A'):
                return False
            self.s(f'{self.follows[w][0]}.load_state_dict({w})', f'{self.follows[w][0]}.loadStateDict({w});')
        elif how == 5:
            self.new('V', f'[{n}.state_dict(), snapshot({n})]', f'new ArrayList<>(List.of({n}.stateDict(), snapshot({n})))')
        else:
            w = self.one('W')
            if not w:
                return False
            self.new('T', f'first({w})', f'first({w})')

    def state_history(self):
        v = self.one('V')
        n = self.one('M', 'S', 'N')
        if not v or not n:
            return False
        if self.r.random() < 0.6:
            self.s(f'{v}.append({n}.state_dict())', f'{v}.add({n}.stateDict());')
        else:
            self.s(f'{v}[0] = snapshot({n})', f'{v}.set(0, snapshot({n}));')

    # ---- optimizers ----

    def state_groups(self):
        a, b = self.module(1, True), self.module(1, True)
        how = self.r.randrange(3)
        if how == 0:
            self.new('O', f"torch.optim.SGD([{{'params': list({a[0]}.parameters())}}, {{'params': list({b[0]}.parameters()), 'lr': 0.01}}],"
                     ' lr=0.1, momentum=0.9, foreach=True)',
                     f'new SGD(List.of(new ParamGroup({a[1]}.parameters()), new ParamGroup({b[1]}.parameters()).lr(0.01)), 0.1).momentum(0.9)')
        elif how == 1:
            m = self.new('M', *a)
            g = self.new('G', f"dict(params=list({m}.parameters()))", f'new ParamGroup({m}.parameters())')
            self.new('O', f'torch.optim.SGD([{g}], lr=0.1, momentum=0.9, foreach=True)', f'new SGD(List.of({g}), 0.1).momentum(0.9)')
        else:
            o = self.one('O', 'Y')
            if not o:
                return False
            m = self.new('M', *a)
            self.s(f"{o}.add_param_group({{'params': {m}.parameters()}})", f'{o}.addParamGroup(new ParamGroup({m}.parameters()));')

    def state_group_shown(self):
        o = self.one('O', 'Y')
        if not o:
            return False
        if self.r.random() < 0.5:
            self.new('G', f'{o}.param_groups[0]', f'{o}.paramGroups().get(0)')
        else:
            self.new('T', f"{o}.param_groups[0]['params'][0]", f'{o}.paramGroups().get(0).params().get(0)')

    def state_own_optimizer(self):
        n = self.one('M', 'S', 'N')
        if not n:
            return False
        c = self.r.choice(['Velocity', 'Keeper'])
        self.new('Y', f'{c}({n}.parameters(), 0.1)', f'new {c}({n}.parameters(), 0.1)')

    def state_own_step(self):
        y, n = self.one('Y'), self.one('M', 'S', 'N')
        if not y or not n:
            return False
        how = self.r.randrange(5)
        if how <= 2:
            p, j = self.loss(n)
            self.s(f'{p}.pow(2).mean().backward()', f'{j}.pow(2).mean().backward();')
            self.s(f'{y}.step()', f'{y}.step();')
            self.mark()
            if self.r.random() < 0.6:
                self.s(f'{y}.zero_grad()', f'{y}.zeroGrad();')
        elif how == 3:
            self.new('T', f'{y}.last', f'{y}.last')
        else:
            self.s(f'{y}.last = None', f'{y}.last = null;')

    def state_schedule(self):
        o = self.one('O', 'Y')
        e = self.one('E', 'C')
        if e and self.r.random() < 0.4:
            self.s(f'{e}.step()', f'{e}.step();')
        elif o:
            p, j = self.r.choice(SCHEDULES)
            self.new('E', p.format(o), j.format(o))
        else:
            return False

    # ---- averages ----

    def state_average(self):
        n, a = self.one('M', 'S', 'N'), self.one('A')
        how = self.r.randrange(6)
        if a and how == 0:
            self.new('M', f'{a}.module', f'{a}.module')
        elif a and how == 1:
            self.new('T', f'{a}(torch.ones(4, 16))', f'{a}.call(Tensor.ones(4, 16))')
        elif a and how <= 3:
            followed = self.follows.get(a)
            if not followed or followed[1] != self.changes or followed[0] not in self.of('M', 'S', 'N'):
                return False
            self.s(f'{a}.update_parameters({followed[0]})', f'{a}.updateParameters({followed[0]});')
            self.s('big()', 'big();')
        elif n:
            text = self.r.choice([f'averaged({n})', f'followed({n}, 2)'])
            self.follows[self.new('A', text, text)] = n, self.changes
            self.s('big()', 'big();')
        else:
            return False

    # ---- weights ----

    def state_init(self):
        n, v = self.one('M', 'S', 'N'), self.one('N')
        how = self.r.randrange(4)
        if n and how == 0:
            self.s(f'{n}.apply(weights)', f'{n}.apply(m -> weights(m));')
        elif v and how == 1:
            self.new('P', f'nn.init.normal_({v}.scale)', f'Init.normal_({v}.scale)')
        elif v and how == 2:
            self.s(f'nn.init.kaiming_uniform_({v}.a.weight)', f'Init.kaimingUniform_({v}.a.weight);')
        else:
            p = self.one('P')
            if not p:
                return False
            self.new('P', f'nn.init.constant_({p}, 0.5)', f'Init.constant_({p}, 0.5)')

    def state_assigned(self):
        v, u = self.one('N'), self.one('N')
        if not v:
            return False
        how = self.r.randrange(7)
        py, ja = [(f'{v}.a.weight = {u}.a.weight', f'{v}.a.weight = {u}.a.weight;'),
                  (f'{v}.a.bias = None', f'{v}.a.bias = null;'),
                  (f'{v}.scale = nn.Parameter(torch.zeros(16))', f'{v}.scale = new Parameter(Tensor.zeros(16));'),
                  (f'{v}.scale = {u}.scale', f'{v}.scale = {u}.scale;'),
                  (f'{v}.a = nn.Linear(16, 16)', f'{v}.a = new Linear(16, 16);'),
                  (f'{v}.a.weight = nn.Parameter({u}.a.weight.detach().clone())',
                   f'{v}.a.weight = new Parameter({u}.a.weight.detach().clone());'),
                  (f'{v}.a = {u}.a', f'{v}.a = {u}.a;')][how]
        self.s(py, ja)
        self.changes += 1

    def state_clipped(self):
        n = self.one('M', 'S', 'N')
        if not n:
            return False
        p, j = self.loss(n)
        self.s(f'{p}.pow(2).mean().backward()', f'{j}.pow(2).mean().backward();')
        self.mark()
        self.s(f'nn.utils.clip_grad_norm_({n}.parameters(), 1.0, foreach=True)', f'GradientClipping.clipGradNorm({n}.parameters(), 1.0);')
        self.s('big()', 'big();')

    # ---- checkpoints ----

    def state_checked(self):
        n = self.one('M', 'S', 'N')
        how = self.r.randrange(6)
        x, k = self.given()
        if n and how <= 1:
            t = self.new('T', f'checkpoint({n}, {x}{CHECKED}', f'Checkpoint.checkpoint({n}::call, {k})')
        elif n and how == 2:
            t = self.new('T', f'checked({n}, {x})', f'checked({n}, {k})')
        elif how == 3:
            p, j = self.module(1)
            t = self.new('T', f'checkpoint({p}, {x}{CHECKED}', f'Checkpoint.checkpoint({j}::call, {k})')
        elif how == 4:
            p, j = self.module(1)
            q, l = self.module(1)
            t = self.new('T', f'checkpoint_sequential([{p}, {q}, nn.ReLU()], {self.r.randint(1, 3)}, {x}{CHECKED}', '')
            parts = self.py[-1].split('], ')[1][0]
            self.ja[-1] = self.ja[-1].rstrip(';').rstrip() + \
                f' Checkpoint.sequential(List.<UnaryOperator<Tensor>>of({j}::call, {l}::call, new ReLU()::call), {parts}, {k});'
        else:
            s = self.one('S')
            if not s:
                return False
            t = self.new('T', f'in_parts({s}, 1, {x})', f'in_parts({s}, 1, {k})')
            if self.r.random() < 0.7:
                p, q = self.module(1), self.module(1)
                self.s(f'{t} = in_parts(nn.Sequential({p[0]}, {q[0]}), 2, {x})', f'{t} = in_parts(new Sequential({p[1]}, {q[1]}), 2, {k});')
        self.mark()
        if n and self.r.random() < 0.4:
            self.s(f'{n} = None', f'{n} = null;')
            self.drop(n)
            self.mark()
        if self.r.random() < 0.6:
            self.s(f'{t}.sum().backward()', f'{t}.sum().backward();')
            self.drop(t)

    # ---- packed sequences ----

    def state_packed(self):
        b = self.one('B')
        how = self.r.randrange(6)
        if not b or how == 0:
            self.new('B', 'pack_padded_sequence(torch.ones(3, 5, 16), [5, 3, 2], batch_first=True)',
                     'PackedSequence.packPaddedSequence(Tensor.ones(3, 5, 16), new long[]{5, 3, 2}, true)')
        elif how == 1:
            self.new('T', f'{b}.data', f'{b}.data()')
        elif how == 2:
            self.new('B', f'doubled({b})', f'doubled({b})')
        elif how == 3:
            self.new('T', f'pad_packed_sequence({b}, batch_first=True)[0]', f'PackedSequence.padPackedSequence({b}, true).output()')
        elif how == 4:
            self.new('B', f'PackedSequence({b}.data.add(1), {b}.batch_sizes)', f'new PackedSequence({b}.data().add(1), {b}.batchSizes(), null, null)')
        else:
            self.new('T', 'pad_sequence([torch.ones(3, 16), torch.ones(5, 16)], batch_first=True)',
                     'PackedSequence.padSequence(List.of(Tensor.ones(3, 16), Tensor.ones(5, 16)), true, 0)')

    def state_recurrent(self):
        b, l = self.one('B'), self.one('R')
        if not self.all:
            return False
        if l and b:
            self.new('B', f'{l}({b})[0]', f'{l}.callPacked({b}).output()')
        elif b:
            self.new('R', 'nn.LSTM(16, 16, batch_first=True)', 'new LSTM(16, 16, new RecurrentOptions().batchFirst(true))')
        else:
            return False

    def state_adam(self):
        n = self.one('M', 'S', 'N')
        if not self.all or not n:
            return False
        z = self.one('Z')
        if z:
            p, j = self.loss(n)
            self.s(f'{p}.pow(2).mean().backward()', f'{j}.pow(2).mean().backward();')
            self.s(f'{z}.step()', f'{z}.step();')
            if self.r.random() < 0.5:
                self.s(f'{z}.load_state_dict({z}.state_dict())', f'{z}.loadStateDict({z}.stateDict());')
            else:
                self.s(f'{z}.zero_grad()', f'{z}.zeroGrad();')
        else:
            self.new('Z', f'torch.optim.Adam({n}.parameters())', f'new Adam({n}.parameters())')

    def python(self):
        return super().python().replace(OWNERS['PYTHON'], PYTHON)

    def java(self):
        declarations, statements = super().java()
        return declarations.replace(OWNERS['JAVA'], JAVA), statements


OWNERS['BASE']['Program'] = Program
if __name__ == '__main__':
    OWNERS['BASE']['main']()
