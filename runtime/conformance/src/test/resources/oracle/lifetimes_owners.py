"""Random programs about modules and optimizers, written twice, and what CPython keeps alive while the first of them runs.

usage: as lifetimes.py

Modules are made, nested, shared, taken apart and dropped; their parameters are looked at, handed to optimizers, kept in lists; models,
optimizers and schedules live in variables, fields, lists, dicts, closures, exceptions and functions. Recorded are the bytes of
tensors alive at each mark, and the most since the mark before, as lifetimes.py does.
"""
import os
import sys
import random

HERE = os.path.dirname(os.path.abspath(__file__))
TEXT = open(os.path.join(HERE, 'lifetimes.py')).read().rsplit('\nmain()', 1)[0]
BASE = {}
exec(compile(TEXT, 'lifetimes.py', 'exec'), BASE)

PYTHON = '''
class Net(nn.Module):
    def __init__(self, inner=None):
        super().__init__()
        self.a = nn.Linear(16, 16)
        self.inner = nn.Identity() if inner is None else inner
        self.scale = nn.Parameter(torch.ones(16))
        self.seen = None
        self.register_buffer('shift', torch.ones(16))
    def forward(self, x):
        h = self.inner(self.a(x))
        self.seen = h.detach()
        return h.mul(self.scale).add(self.shift)
class Parts(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)
    def forward(self, x):
        for part in self.parts:
            x = part(x).relu()
        return x
class Tied(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.b = nn.Parameter(torch.ones(16))
    def forward(self, x):
        return F.linear(x, self.weight, self.b)
class Line(nn.Sequential):
    def forward(self, x):
        return super().forward(x).add(1)
class Trainer:
    best = None
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
        self.losses = []
    def step(self, x):
        self.opt.zero_grad()
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.detach())
        mark()
    def swap(self, model):
        old = self.model
        self.model = model
        mark()
        return old
def fails(model, n):
    kept = nn.Linear(16, 16)
    y = model(torch.ones(2, 16))
    if n > 0:
        raise ArithmeticError("meant")
    return kept
def passed(model):
    model.train()
    model = model.eval()
    mark()
    return model
def trained(model, n):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=True)
    for i in range(n):
        loss = model(torch.ones(2, 16)).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        mark()
    return loss.detach()
def wrapped(model):
    return Net(nn.Sequential(model, nn.ReLU()))
def largest(model):
    found = None
    for p in model.parameters():
        if found is None or p.numel() > found.numel():
            found = p
    return found
def norms(model):
    all = []
    for name, p in model.named_parameters():
        all.append(p.detach().abs().sum())
    return all
'''
JAVA = '''
static class Net extends io.vramlab.nn.Module {
    Linear a = new Linear(16, 16);
    io.vramlab.nn.Module inner;
    Parameter scale = new Parameter(Tensor.ones(16));
    Tensor seen;
    Buffer shift;
    Net() { this(new Identity()); }
    Net(io.vramlab.nn.Module inner) { this.inner = inner; shift = registerBuffer("shift", Tensor.ones(16)); }
    public Tensor forward(Tensor x) { var h = inner.call(a.call(x)); seen = h.detach(); return h.mul(scale).add(shift); }
}
static class Parts extends io.vramlab.nn.Module {
    ModuleList parts;
    Parts(io.vramlab.nn.Module... parts) { this.parts = new ModuleList(parts); }
    public Tensor forward(Tensor x) { for (var part : parts) { x = part.call(x).relu(); } return x; }
}
static class Tied extends io.vramlab.nn.Module {
    Parameter weight;
    Parameter b = new Parameter(Tensor.ones(16));
    Tied(Parameter weight) { this.weight = weight; }
    public Tensor forward(Tensor x) { return Functional.linear(x, weight, b); }
}
static class Line extends Sequential {
    Line(io.vramlab.nn.Module... layers) { super(layers); }
    public Tensor forward(Tensor x) { return super.forward(x).add(1); }
}
static class Trainer {
    static io.vramlab.nn.Module best;
    io.vramlab.nn.Module model;
    SGD opt;
    List<Tensor> losses = new ArrayList<>();
    Trainer(io.vramlab.nn.Module model) { this.model = model; opt = new SGD(model.parameters(), 0.1).momentum(0.9); }
    void step(Tensor x) {
        opt.zeroGrad();
        var loss = model.call(x).pow(2).mean();
        loss.backward();
        opt.step();
        losses.add(loss.detach());
        mark();
    }
    io.vramlab.nn.Module swap(io.vramlab.nn.Module model) { var old = this.model; this.model = model; mark(); return old; }
}
static io.vramlab.nn.Module fails(io.vramlab.nn.Module model, int n) {
    var kept = new Linear(16, 16);
    var y = model.call(Tensor.ones(2, 16));
    if (n > 0) throw new IllegalStateException("meant");
    return kept;
}
static io.vramlab.nn.Module passed(io.vramlab.nn.Module model) { model.train(); model = model.eval(); mark(); return model; }
static Tensor trained(io.vramlab.nn.Module model, int n) {
    var opt = new SGD(model.parameters(), 0.1).momentum(0.9);
    Tensor loss = null;
    for (int i = 0; i < n; i++) {
        loss = model.call(Tensor.ones(2, 16)).mean();
        loss.backward();
        opt.step();
        opt.zeroGrad();
        mark();
    }
    return loss.detach();
}
static io.vramlab.nn.Module wrapped(io.vramlab.nn.Module model) { return new Net(new Sequential(model, new ReLU())); }
static Parameter largest(io.vramlab.nn.Module model) {
    Parameter found = null;
    for (var p : model.parameters()) {
        if (found == null || p.numel() > found.numel()) found = p;
    }
    return found;
}
static List<Tensor> norms(io.vramlab.nn.Module model) {
    List<Tensor> all = new ArrayList<>();
    for (var e : model.namedParameters().entrySet()) { all.add(e.getValue().detach().abs().sum()); }
    return all;
}
'''
TYPES = dict(M='io.vramlab.nn.Module', S='Sequential', L='List<io.vramlab.nn.Module>', O='SGD', P='Parameter', Q='List<Parameter>',
             T='Tensor', N='Net', H='Trainer', F='UnaryOperator<Tensor>', D='Map<String, io.vramlab.nn.Module>', C='StepLR')


class Program:

    def __init__(self, seed, index):
        self.r = random.Random(seed * 1000003 + index)
        self.py, self.ja, self.indent, self.counter, self.escapes = [], [], 0, 0, set()
        self.scopes = [{}]

    def s(self, py, ja):
        if py is not None:
            self.py.append('    ' * (self.indent + 1) + py)
        if ja is not None:
            self.ja.append('    ' * self.indent + ja)

    def mark(self):
        self.s('mark()', 'mark();')

    def of(self, *kinds):
        return [n for each in self.scopes for n, k in each.items() if k in kinds]

    def drop(self, name):
        for each in self.scopes:
            each.pop(name, None)

    def new(self, kind, py, ja):
        self.counter += 1
        name = f'{kind.lower()}{self.counter}'
        self.s(f'{name} = {py}', f'{TYPES[kind]} {name} = {ja};')
        self.scopes[-1][name] = kind
        return name

    # ---- expressions ----

    def module(self, depth=0, fresh=False):
        r = self.r
        known = [] if fresh else self.of('M', 'S', 'N')
        if known and r.random() < (0.35 if depth else 0.1):
            n = r.choice(known)
            return n, n
        k = r.randrange(10 if depth < 2 else 3)
        if k <= 1:
            return 'nn.Linear(16, 16)', 'new Linear(16, 16)'
        if k == 2:
            return 'Net()', 'new Net()'
        if k == 9 and self.of('P') and not fresh:
            p = r.choice(self.of('P'))
            return f'Tied({p})', f'new Tied({p})'
        if k in (3, 4):
            p, j = self.module(depth + 1, fresh)
            return f'Net({p})', f'new Net({j})'
        if k == 5 and known:
            n = r.choice(known)
            return f'wrapped({n})', f'wrapped({n})'
        if k == 6 and known:
            n = r.choice(known)
            return f'passed({n})', f'passed({n})'
        py, ja = zip(*[self.module(depth + 1, fresh) for _ in range(r.randint(1, 3))])
        what = r.choice(['Parts', 'Line', 'S'])
        if what == 'S':
            return f"nn.Sequential({', '.join(py)})", f"new Sequential({', '.join(ja)})"
        return f"{what}({', '.join(py)})", f"new {what}({', '.join(ja)})"

    def loss(self, n):
        if self.of('F') and self.r.random() < 0.2:
            f = self.r.choice(self.of('F'))
            return f'{f}(torch.ones(4, 16))', f'{f}.apply(Tensor.ones(4, 16))'
        return f'{n}(torch.ones(4, 16))', f'{n}.call(Tensor.ones(4, 16))'

    # ---- statements ----

    def statement(self):
        r = self.r
        m = self.of('M', 'S', 'N')
        n = r.choice(m) if m else None
        k = r.randrange(38)
        if n is None or k <= 2:
            kind = r.choice(['M', 'M', 'S', 'N'])
            if kind == 'S':
                py, ja = zip(*[self.module(1) for _ in range(r.randint(1, 3))])
                self.new('S', f"nn.Sequential({', '.join(py)})", f"new Sequential({', '.join(ja)})")
            elif kind == 'N':
                p, j = self.module(1)
                self.new('N', f'Net({p})', f'new Net({j})')
            else:
                self.new('M', *self.module())
        elif k in (3, 4, 5):
            self.s(f'{n} = None', f'{n} = null;')
            self.drop(n)
        elif k == 6 and self.of('M'):
            v = r.choice(self.of('M'))
            p, j = self.module()
            self.s(f'{v} = {p}', f'{v} = {j};')
        elif k in (7, 8):
            momentum = r.choice([0, 0.9])
            self.new('O', f'torch.optim.SGD({n}.parameters(), lr=0.1, momentum={momentum}, foreach=True)',
                     f'new SGD({n}.parameters(), 0.1)' + (f'.momentum({momentum})' if momentum else ''))
        elif k in (9, 10) and self.of('O'):
            o = r.choice(self.of('O'))
            p, j = self.loss(n)
            self.s(f'{p}.pow(2).mean().backward()', f'{j}.pow(2).mean().backward();')
            self.mark()
            self.s(f'{o}.step()', f'{o}.step();')
            self.mark()
            if r.random() < 0.6:
                self.s(f'{o}.zero_grad()', f'{o}.zeroGrad();')
        elif k == 11 and self.of('O'):
            o = r.choice(self.of('O'))
            self.s(f'{o} = None', f'{o} = null;')
            self.drop(o)
        elif k == 12:
            p, j = self.loss(n)
            self.new('T', p, j)
        elif k == 13 and self.of('T'):
            t = r.choice(self.of('T'))
            self.s(f'{t} = None', f'{t} = null;')
            self.drop(t)
        elif k == 14:
            self.new('P', f'largest({n})', f'largest({n})')
        elif k == 15 and self.of('N'):
            v = r.choice(self.of('N'))
            what = r.choice(['scale', 'a.weight'])
            self.new('P', f'{v}.{what}', f'{v}.{what}')
        elif k == 16 and self.of('P', 'Q'):
            v = r.choice(self.of('P', 'Q'))
            self.s(f'{v} = None', f'{v} = null;')
            self.drop(v)
        elif k == 17:
            self.new('Q', f'list({n}.parameters())', r.choice([f'{n}.parameters()', f'new ArrayList<>({n}.parameters())']))
        elif k == 18 and self.of('Q'):
            q = r.choice(self.of('Q'))
            self.new('P', f'{q}[0]', f'{q}.get(0)')
        elif k == 19 and self.of('N'):
            v = r.choice(self.of('N'))
            # nothing known: a circle would never end
            p, j = self.module(1, True)
            self.s(f'{v}.inner = {p}', f'{v}.inner = {j};')
        elif k == 20 and self.of('N'):
            v = r.choice(self.of('N'))
            self.new('M', f'{v}.inner', f'{v}.inner')
        elif k in (21, 22) and self.of('S'):
            v = r.choice(self.of('S'))
            p, j = self.module(1, True)
            how = r.randrange(3)
            if how == 0:
                self.s(f'{v}.append({p})', f'{v}.append({j});')
            elif how == 1:
                self.s(f'{v}[0] = {p}', f'{v}.set(0, {j});')
            else:
                self.new('M', f'{v}[0]', f'{v}.get(0)')
        elif k == 23:
            p, j = self.module(1)
            q, l = self.module(1)
            self.new('L', f'[{p}, {q}]', r.choice([f'List.of({j}, {l})', f'new ArrayList<>(List.of({j}, {l}))']))
        elif k == 24 and self.of('L'):
            v = r.choice(self.of('L'))
            how = r.randrange(4)
            if how == 0:
                self.new('M', f'{v}[1]', f'{v}.get(1)')
            elif how == 1:
                self.new('S', f'nn.Sequential(*{v})', f'new Sequential({v})')
            elif how == 2:
                self.new('M', f'Parts(*{v})', f'new Parts({v}.toArray(new io.vramlab.nn.Module[0]))')
            else:
                self.s(f'{v} = None', f'{v} = null;')
                self.drop(v)
        elif k == 25:
            self.new('H', f'Trainer({n})', f'new Trainer({n})')
            if r.random() < 0.4:
                self.s(f'{n} = None', f'{n} = null;')
                self.drop(n)
        elif k in (26, 27) and self.of('H'):
            h = r.choice(self.of('H'))
            how = r.randrange(5)
            if how <= 1:
                self.s(f'{h}.step(torch.ones(3, 16))', f'{h}.step(Tensor.ones(3, 16));')
            elif how == 2:
                p, j = self.module()
                if r.random() < 0.5:
                    self.s(f'{h}.swap({p})', f'{h}.swap({j});')
                else:
                    self.new('M', f'{h}.swap({p})', f'{h}.swap({j})')
            elif how == 3:
                self.s(f'Trainer.best = {h}.model', f'Trainer.best = {h}.model;')
            else:
                self.s(f'{h} = None', f'{h} = null;')
                self.drop(h)
        elif k == 28:
            self.new('T', f'trained({n}, {2})', f'trained({n}, 2)')
        elif k == 29:
            self.new('T', f'norms({n})[0]', f'norms({n}).get(0)')
        elif k == 30:
            c = self.new('M', n, n)
            self.drop(c)     # never assigned again: captured
            self.new('F', f'lambda t, {c}={c}: {c}(t)', f't -> {c}.call(t)')
        elif k == 31 and self.of('F'):
            f = r.choice(self.of('F'))
            self.s(f'{f} = None', f'{f} = null;')
            self.drop(f)
        elif k == 32:
            self.new('D', f"{{'a': {n}, 'b': nn.Linear(16, 16)}}",
                     f'new HashMap<>(Map.of("a", {n}, "b", new Linear(16, 16)))')
        elif k == 33 and self.of('D'):
            d = r.choice(self.of('D'))
            how = r.randrange(3)
            if how == 0:
                self.new('M', f"{d}['a']", f'{d}.get("a")')
            elif how == 1:
                p, j = self.module()
                self.s(f"{d}['a'] = {p}", f'{d}.put("a", {j});')
            else:
                self.s(f'{d}.clear()', f'{d}.clear();')
                self.drop(d)
        elif k == 34:
            self.s('try:', 'try {')
            self.s(f'    fails({n}, {1})', f'    fails({n}, 1);')
            self.s('except ArithmeticError:', '} catch (IllegalStateException e) {')
            self.s('    mark()', '    mark();')
            self.s(None, '}')
        elif k == 35 and self.of('O'):
            o = r.choice(self.of('O'))
            self.new('C', f'torch.optim.lr_scheduler.StepLR({o}, 2)', f'new StepLR({o}, 2)')
        elif k == 36 and self.of('C'):
            c = r.choice(self.of('C'))
            self.s(f'{c} = None', f'{c} = null;')
            self.drop(c)
        elif k == 37:
            self.s(f'for p in {n}.parameters(): p.grad = None', f'for (var p : {n}.parameters()) {{ p.grad(null); }}')
        self.mark()

    def block(self, least, most, depth=0):
        for _ in range(self.r.randint(least, most)):
            k = self.r.random()
            if k < 0.12 and depth < 2:
                self.counter += 1
                i = f'i{self.counter}'
                loop = self.r.random() < 0.6
                count = self.r.randint(1, 3)
                # what a loop takes away must not be wanted in its next round
                if loop:
                    self.s(f'for {i} in range({count}):', f'for (int {i} = 0; {i} < {count}; {i}++) {{')
                else:
                    zero = self.r.randint(0, 1)
                    self.s(f'if len(zeros) == {zero}:', f'if (zero == {zero}) {{')
                kept = [dict(each) for each in self.scopes]
                if loop:
                    self.scopes = [{n: k for n, k in each.items() if self.r.random() < 0.0} for each in self.scopes]
                self.scopes.append({})
                self.indent += 1
                self.block(2, 6, depth + 1)
                self.mark()
                self.indent -= 1
                self.scopes.pop()
                left = self.scopes
                self.scopes = kept if loop else [{n: k for n, k in each.items() if n in now} for each, now in zip(kept, left)]
                self.s(None, '}')
            else:
                self.statement()

    def build(self):
        self.block(14, 34)
        self.mark()
        return self

    def python(self):
        return PYTHON + 'zeros = []\ndef main():\n' + '\n'.join(self.py) + '\nmain()\nmark()\nTrainer.best = None\nmark()\n'

    def java(self):
        return (JAVA + 'static int zero;\nstatic void main() {\n' + '\n'.join(self.ja) + '\n}',
                'main();\nmark();\nTrainer.best = null;\nmark();')


BASE['Program'] = Program
if __name__ == '__main__':
    BASE['main']()
