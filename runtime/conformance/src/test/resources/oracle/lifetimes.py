"""Random programs written twice, as Python and as Java, and what CPython keeps alive while the first of them runs.

usage: lifetimes.py show SEED INDEX                  (no torch needed) both texts of one program
       lifetimes.py generate SEED FROM TO OUTFILE    (no torch needed) programs alone, not all of which are valid
       lifetimes.py record SEED COUNT OUTFILE        (on the CPU, under LD_PRELOAD of lifetimes_count.c)

    gcc -O2 -shared -fPIC -o /tmp/count.so lifetimes_count.c -ldl
    LD_PRELOAD=/tmp/count.so python lifetimes.py record 1 1200 lifetimes.json.gz

A program is declarations (functions, classes, records, modules) and a body; mark() stands after the statements. Recorded at
each mark: [bytes of tensors alive, the most since the mark before]. Only lifetimes matter, so the CPU will do: the counter
sees each block that PyTorch's CPU allocator takes and frees. What has 8 bytes is not counted: the scalars that operators
wrap, which a GPU's allocator never sees. The cycle collector is off: the reference counts alone decide.

A program that uses what a Java program cannot count is marked with the cause ("escapes"). Seeds from 1000 on use streams,
copies and given lists in more ways; those from 2000 on also modules, hooks, functions with a backward of their own, checkpoints
and optimizers, above all such as give back what they were given. In those from 3000 on some of these modules extend PyTorch's
layers and containers, and inherit their forward or call it. Those from 4000 on have sets.
"""
import sys, json, gzip, random

# not the letters that the texts use themselves
NAMES = list('abcdefghjkmnpqrsuvwxz')


# modules, functions and hooks of programs that have them; one of each stands beside the program
GIVEN = ('''
class Same(nn.Module):
    def forward(self, x):
        return x
class Either(nn.Module):
    def forward(self, x):
        return x if x.size(0) > 2 else x.relu()
class Remembers(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = None
    def forward(self, x):
        self.seen = x
        return self.seen
class Before(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = None
    def forward(self, x):
        old = self.seen
        self.seen = x
        return x if old is None else old
class Wraps(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return self.inner(x)
class Adding(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        y = self.inner(x)
        mark()
        return x.add(y.sum())
class Rebinding(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        x = self.inner(x)
        x = x.mul(2)
        mark()
        x = self.inner(x)
        return x
class Chain(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)
    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x
class Lists(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        all = [x, x.neg()]
        all.append(self.inner(all[1]))
        return all[2] if x.size(0) > 3 else all[0]
class Direct(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return self.inner.forward(x)
class Fails(nn.Module):
    def forward(self, x):
        y = x.add(1)
        if x.size(0) % 2 == 0:
            raise ArithmeticError("meant")
        return y if x.size(0) > 4 else x
class Passed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.mul(2)
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g.mul(2).add(x.mul(0))
class Exponential(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, g):
        y, = ctx.saved_tensors
        return g.mul(y)
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.neg(), x.add(1)
    @staticmethod
    def backward(ctx, a, b):
        return b.sub(a)
class Masked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = x.sigmoid()
        return x.mul(ctx.mask)
    @staticmethod
    def backward(ctx, g):
        return g.mul(ctx.mask)
class Saving(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.tanh(), x.add(2))
        return x.mul(3)
    @staticmethod
    def backward(ctx, g):
        return g.mul(ctx.saved_tensors[0]).add(ctx.saved_tensors[1])
same, either, remembers, before = Same(), Either(), Remembers(), Before()
wraps, adding, rebinding = Wraps(Same()), Adding(Same()), Rebinding(Either())
chain, lists, direct = Chain(Same(), nn.ReLU(), Wraps(Same())), Lists(Same()), Direct(Adding(Same()))
sequential, empty = nn.Sequential(Same(), nn.Identity(), Either()), nn.Sequential(nn.Sequential(Same()), Same())
inplace, shaped = nn.Sequential(Adding(Same()), nn.ReLU(True)), nn.Sequential(nn.Flatten(0, 1), nn.Unflatten(0, (-1, 16)))
dropping, fails, deep = nn.Dropout(0.5).eval(), Fails(), nn.Sequential(Same(), Wraps(Fails()))
hooked, caughtBy, full = Remembers(), Wraps(Same()), Adding(Same())
keeping = nn.Sequential(remembers, nn.ReLU(), before, Wraps(Same()), nn.Identity())
named = nn.Sequential(nn.ReLU(), Adding(Same()), nn.Tanh())
features = {}
named[0].register_forward_hook(lambda m, i, o: features.update(a=o))
named[1].register_full_backward_hook(lambda m, i, o: caught.append(o[0]))
shared = torch.ones(2, 16)
caught = []
hooked.register_forward_hook(lambda m, i, o: o)
hooked.register_forward_pre_hook(lambda m, i: i[0].add(1))
caughtBy.register_forward_hook(lambda m, i, o: caught.append(o.detach()))
full.register_full_backward_hook(lambda m, i, o: None)
''', '''
static class Same extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x; } }
static class Either extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x.size(0) > 2 ? x : x.relu(); } }
static class Remembers extends io.vramlab.nn.Module {
    Tensor seen;
    public Tensor forward(Tensor x) { seen = x; return seen; }
}
static class Before extends io.vramlab.nn.Module {
    Tensor seen;
    public Tensor forward(Tensor x) { var old = seen; seen = x; return old == null ? x : old; }
}
static class Wraps extends io.vramlab.nn.Module {
    io.vramlab.nn.Module inner;
    Wraps(io.vramlab.nn.Module inner) { this.inner = inner; }
    public Tensor forward(Tensor x) { return inner.call(x); }
}
static class Adding extends io.vramlab.nn.Module {
    io.vramlab.nn.Module inner;
    Adding(io.vramlab.nn.Module inner) { this.inner = inner; }
    public Tensor forward(Tensor x) { var y = inner.call(x); mark(); return x.add(y.sum()); }
}
static class Rebinding extends io.vramlab.nn.Module {
    io.vramlab.nn.Module inner;
    Rebinding(io.vramlab.nn.Module inner) { this.inner = inner; }
    public Tensor forward(Tensor x) { x = inner.call(x); x = x.mul(2); mark(); x = inner.call(x); return x; }
}
static class Chain extends io.vramlab.nn.Module {
    ModuleList parts = new ModuleList();
    Chain(io.vramlab.nn.Module... parts) { for (var part : parts) this.parts.append(part); }
    public Tensor forward(Tensor x) { for (var part : parts) x = part.call(x); return x; }
}
static class Lists extends io.vramlab.nn.Module {
    io.vramlab.nn.Module inner;
    Lists(io.vramlab.nn.Module inner) { this.inner = inner; }
    public Tensor forward(Tensor x) {
        var all = new ArrayList<Tensor>();
        all.add(x);
        all.add(x.neg());
        all.add(inner.call(all.get(1)));
        return x.size(0) > 3 ? all.get(2) : all.get(0);
    }
}
static class Direct extends io.vramlab.nn.Module {
    io.vramlab.nn.Module inner;
    Direct(io.vramlab.nn.Module inner) { this.inner = inner; }
    public Tensor forward(Tensor x) { return inner.forward(x); }
}
static class Fails extends io.vramlab.nn.Module {
    public Tensor forward(Tensor x) {
        var y = x.add(1);
        if (x.size(0) % 2 == 0) throw new IllegalStateException("meant");
        return x.size(0) > 4 ? y : x;
    }
}
static class Passed extends AutogradFunction {
    protected Tensor[] forward(Context ctx, Tensor... in) { return outputs(in[0]); }
    protected Tensor[] backward(Context ctx, Tensor... g) { return gradients(g[0]); }
}
static class Doubled extends AutogradFunction {
    protected Tensor[] forward(Context ctx, Tensor... in) { ctx.saveForBackward(in[0]); return outputs(in[0].mul(2)); }
    protected Tensor[] backward(Context ctx, Tensor... g) {
        var x = ctx.savedTensors()[0];
        return gradients(g[0].mul(2).add(x.mul(0)));
    }
}
static class Exponential extends AutogradFunction {
    protected Tensor[] forward(Context ctx, Tensor... in) { var y = in[0].exp(); ctx.saveForBackward(y); return outputs(y); }
    protected Tensor[] backward(Context ctx, Tensor... g) { var y = ctx.savedTensors()[0]; return gradients(g[0].mul(y)); }
}
static class Two extends AutogradFunction {
    protected Tensor[] forward(Context ctx, Tensor... in) { return outputs(in[0].neg(), in[0].add(1)); }
    protected Tensor[] backward(Context ctx, Tensor... g) { return gradients(g[1].sub(g[0])); }
}
static class Masked extends AutogradFunction {
    Tensor mask;
    protected Tensor[] forward(Context ctx, Tensor... in) { mask = in[0].sigmoid(); return outputs(in[0].mul(mask)); }
    protected Tensor[] backward(Context ctx, Tensor... g) { return gradients(g[0].mul(mask)); }
}
static class Saving extends AutogradFunction {
    protected Tensor[] forward(Context ctx, Tensor... in) {
        ctx.saveForBackward(in[0].tanh(), in[0].add(2));
        return outputs(in[0].mul(3));
    }
    protected Tensor[] backward(Context ctx, Tensor... g) {
        return gradients(g[0].mul(ctx.savedTensors()[0]).add(ctx.savedTensors()[1]));
    }
}
static final Same same = new Same();
static final Either either = new Either();
static final Remembers remembers = new Remembers(), hooked = new Remembers();
static final Before before = new Before();
static final Wraps wraps = new Wraps(new Same()), caughtBy = new Wraps(new Same());
static final Adding adding = new Adding(new Same()), full = new Adding(new Same());
static final Rebinding rebinding = new Rebinding(new Either());
static final Chain chain = new Chain(new Same(), new ReLU(), new Wraps(new Same()));
static final Lists lists = new Lists(new Same());
static final Direct direct = new Direct(new Adding(new Same()));
static final Sequential sequential = new Sequential(new Same(), new Identity(), new Either());
static final Sequential empty = new Sequential(new Sequential(new Same()), new Same());
static final Sequential inplace = new Sequential(new Adding(new Same()), new ReLU(true));
static final Sequential shaped = new Sequential(new Flatten(0, 1), new Unflatten(0, -1, 16));
static final io.vramlab.nn.Module dropping = new Dropout(0.5).eval(), fails = new Fails();
static final Sequential deep = new Sequential(new Same(), new Wraps(new Fails()));
static final Sequential keeping = new Sequential(remembers, new ReLU(), before, new Wraps(new Same()), new Identity());
static final Sequential named = new Sequential(new ReLU(), new Adding(new Same()), new Tanh());
static final Map<String, Tensor> features = new HashMap<>();
static final Tensor shared = Tensor.ones(2, 16);
static final List<Tensor> caught = new ArrayList<>();
static {
    hooked.registerForwardHook((m, i, o) -> o);
    hooked.registerForwardPreHook((m, i) -> i.add(1));
    caughtBy.registerForwardHook((m, i, o) -> { caught.add(o.detach()); return null; });
    full.registerFullBackwardHook((m, i, o) -> null);
    named.get(0).registerForwardHook((m, i, o) -> { features.put("a", o); return null; });
    named.get(1).registerFullBackwardHook((m, i, o) -> { caught.add(o); return null; });
}
''')


def extending(python, java):
    """The same declarations, with modules that extend PyTorch's own where the others extend Module alone."""
    def replaced(text, pairs):
        for old, new in pairs:
            if old not in text:
                raise ValueError(old)
            text = text.replace(old, new)
        return text
    line = ('sequential', 'empty', 'deep', 'keeping')
    return (replaced(python, [
        ('class Same(nn.Module):\n    def forward(self, x):\n        return x\n',
         'class Same(nn.Identity):\n    pass\nclass Line(nn.Sequential):\n    pass\n'),
        ('class Either(nn.Module):\n    def forward(self, x):\n        return x if x.size(0) > 2 else x.relu()\n',
         'class Either(nn.ReLU):\n    def forward(self, x):\n        return x if x.size(0) > 2 else super().forward(x)\n'),
        ('class Remembers(nn.Module):', 'class Remembers(nn.Tanh):'),
        ('        self.seen = x\n        return self.seen\n',
         '        self.seen = super().forward(x.mul(2))\n        return self.seen\n'),
        ('class Wraps(nn.Module):\n    def __init__(self, inner):\n        super().__init__()\n        self.inner = inner\n'
         '    def forward(self, x):\n        return self.inner(x)\n',
         'class Wraps(nn.Sequential):\n    pass\nclass Over(Wraps):\n    def forward(self, x):\n'
         '        return super().forward(x.add(1)).mul(2)\n'),
        ('class Direct(nn.Module):\n    def __init__(self, inner):\n        super().__init__()\n        self.inner = inner\n'
         '    def forward(self, x):\n        return self.inner.forward(x)\n',
         'class Direct(nn.Module):\n    def __init__(self, inner):\n        super().__init__()\n'
         '        self.inner = inner\n        self.wraps = Wraps(inner)\n        self.over = Over(inner)\n'
         '    def forward(self, x):\n        return self.wraps.forward(self.over.forward(x.add(1)))\n'),
        ('sequential, empty = nn.Sequential(Same(), nn.Identity(), Either()), nn.Sequential(nn.Sequential(Same()), Same())',
         'sequential, empty = Line(Same(), nn.Identity(), Either()), Line(nn.Sequential(Same()), Over(Same()))'),
        ('nn.Sequential(Same(), Wraps(Fails()))', 'Line(Same(), Wraps(Fails()))'),
        ('keeping = nn.Sequential(', 'keeping = Line(')]),
        replaced(java, [
            ('class Same extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x; } }',
             'class Same extends Identity { }\n'
             'static class Line extends Sequential { Line(io.vramlab.nn.Module... parts) { super(parts); } }'),
            ('class Either extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x.size(0) > 2 ? x : x.relu(); } }',
             'class Either extends ReLU { public Tensor forward(Tensor x) { return x.size(0) > 2 ? x : super.forward(x); } }'),
            ('class Remembers extends io.vramlab.nn.Module {', 'class Remembers extends Tanh {'),
            ('{ seen = x; return seen; }', '{ seen = super.forward(x.mul(2)); return seen; }'),
            ('static class Wraps extends io.vramlab.nn.Module {\n    io.vramlab.nn.Module inner;\n'
             '    Wraps(io.vramlab.nn.Module inner) { this.inner = inner; }\n'
             '    public Tensor forward(Tensor x) { return inner.call(x); }\n}',
             'static class Wraps extends Sequential { Wraps(io.vramlab.nn.Module inner) { super(inner); } }\n'
             'static class Over extends Wraps {\n    Over(io.vramlab.nn.Module inner) { super(inner); }\n'
             '    public Tensor forward(Tensor x) { return super.forward(x.add(1)).mul(2); }\n}'),
            ('    Direct(io.vramlab.nn.Module inner) { this.inner = inner; }\n'
             '    public Tensor forward(Tensor x) { return inner.forward(x); }',
             '    Wraps wraps;\n    Over over;\n'
             '    Direct(io.vramlab.nn.Module inner) { this.inner = inner; wraps = new Wraps(inner); over = new Over(inner); }\n'
             '    public Tensor forward(Tensor x) { return wraps.forward(over.forward(x.add(1))); }'),
            ('new Sequential(new Sequential(new Same()), new Same())', 'new Sequential(new Sequential(new Same()), new Over(new Same()))')]
            + [(f'static final Sequential {each} = new Sequential(', f'static final Line {each} = new Line(') for each in line]))


class Program:
    """One program under construction: the two texts grow side by side."""

    def __init__(self, seed, index):
        self.r = random.Random(seed * 1000003 + index)
        self.more = seed >= 1000     # the recorded ones, of lower seeds, have one kind of stream
        self.given = seed >= 2000    # those before have no modules but in training
        self.extends = seed >= 3000
        self.sets = seed >= 4000
        self.py, self.ja = [], []
        self.decl_py, self.decl_ja = [], []
        self.functions = []          # (name, kinds of parameters, kind of result)
        self.classes = []            # names of classes with fields, and what they can do
        self.records = []
        self.escapes = set()
        self.counter = 0
        self.depth = 0
        self.indent = 0
        self.nograd = 0

    # ---- text ----

    def s(self, py, ja):
        if py is not None:
            self.py.append('    ' * self.indent + py)
        if ja is not None:
            self.ja.append('    ' * self.indent + ja)

    def opened(self, py, ja):
        self.s(py, ja)
        self.indent += 1
        self.scopes.append({})

    def leave(self):
        """Ends a block. javac forgets the name of a variable that is declared as the last thing in a block, so that is not."""
        if not self.py[-1].strip() == 'mark()':
            self.mark()
        self.scopes.pop()
        self.indent -= 1

    def closed(self, ja='}'):
        if self.py[-1].split()[0] in ('raise', 'return', 'break', 'continue') or ': break' in self.py[-1]:
            self.scopes.pop()
            self.indent -= 1
        else:
            self.leave()
        self.s(None, ja)

    def mark(self):
        self.s('mark()', 'mark();')

    def chance(self, p):
        return self.r.random() < p

    def fresh(self, prefix):
        self.counter += 1
        return f'{prefix}{self.counter}'

    # ---- variables ----

    def visible(self):
        all = {}
        for each in self.scopes:
            all.update(each)
        return all

    def of(self, kind, alive=True):
        return [n for n, v in self.visible().items() if v['kind'] == kind and (v['alive'] or not alive)]

    def name(self):
        free = [n for n in NAMES if n not in self.visible()]
        return self.r.choice(free) if free else self.fresh('v')

    def declare(self, name, kind, rows=None, const=False):
        self.scopes[-1][name] = dict(kind=kind, rows=rows, alive=True, const=const, level=len(self.scopes))

    def var(self, name):
        return self.visible()[name]

    # ---- expressions: (python, java, rows or None) ----

    def rows(self):
        return self.r.choice([2, 3, 5, 8, 13])

    def made(self):
        rows = self.rows()
        how = self.r.choice(['ones', 'zeros', 'full', 'randn'])
        if how == 'full':
            return f'torch.full(({rows}, 16), 0.5)', f'Tensor.full(0.5, {rows}, 16)', rows
        return f'torch.{how}({rows}, 16)', f'Tensor.{how}({rows}, 16)', rows

    def atom(self):
        tensors = self.of('T')
        if tensors and self.chance(0.8):
            n = self.r.choice(tensors)
            return n, n, self.var(n)['rows']
        records = self.of('R')
        if records and self.chance(0.4):
            n, f = self.r.choice(records), self.r.choice(['a', 'b'])
            return f'{n}.{f}', f'{n}.{f}()', None
        objects = self.of('O')
        if objects and self.chance(0.5):
            n = self.r.choice(objects)
            return f'{n}.held', f'{n}.held', None
        return self.made()

    def expr(self, depth=0):
        r = self.r
        if depth > 2 or self.chance(0.15):
            return self.atom()
        if self.given and self.chance(0.3):
            return self.through(depth)
        what = r.random()
        if what < 0.40:
            p, j, k = self.expr(depth + 1)
            op = r.choice(['neg()', 'abs()', 'relu()', 'add(1)', 'mul(2)', 'sub(3)', 'sigmoid()', 'tanh()', 'clone()', 'exp()'])
            return f'{p}.{op}', f'{j}.{op}', k
        if what < 0.50:
            p, j, k = self.expr(depth + 1)
            op = r.choice(['detach()', 't().t()', 'view(-1).view(-1, 16)', 'select(0, 0).unsqueeze(0)', 'narrow(0, 0, 1)'])
            return f'{p}.{op}', f'{j}.{op}', k if op in ('detach()', 't().t()') else None
        if what < 0.62:
            p, j, k = self.expr(depth + 1)
            q, i, l = self.expr(depth + 1)
            if k is not None and k == l:
                op = r.choice(['add', 'mul', 'sub', 'maximum'])
                return f'{p}.{op}({q})', f'{j}.{op}({i})', k
            return f'{p}.add(torch.ones(1, 16).mul({q}.sum()))', f'{j}.add(Tensor.ones(1, 16).mul({i}.sum()))', k
        if what < 0.68:
            a, b = self.expr(depth + 1), self.expr(depth + 1)
            return f'torch.cat([{a[0]}, {b[0]}], 0)', f'Functional.cat(0, {a[1]}, {b[1]})', None
        if what < 0.74:
            c = self.condition()
            a, b = self.expr(depth + 1), self.expr(depth + 1)
            return f'({a[0]} if {c[0]} else {b[0]})', f'({c[1]} ? {a[1]} : {b[1]})', a[2] if a[2] == b[2] else None
        if what < 0.92:
            call = self.call('T', depth)
            if call:
                return call[0], call[1], None
        lambdas = self.of('F')
        if lambdas and self.chance(0.7):
            f = r.choice(lambdas)
            p, j, k = self.expr(depth + 1)
            return f'{f}({p})', f'{f}.apply({j})', None
        return self.atom()

    def through(self, depth):
        """What is given comes back as it is, or may: from a module, a function with a backward, a checkpoint, a method."""
        p, j, _ = self.expr(depth + 1)
        py, ja = self.r.choice([(f'{m}({p})', f'{m}.call({j})') for m in self.modules]
                               + [(f'{f}.apply({p})', f'new {f}().apply({j})') for f in ('Passed', 'Doubled', 'Exponential', 'Masked', 'Saving')]
                               + [(f'checkpoint({a}, {p}, use_reentrant=False, preserve_rng_state=False)', f'Checkpoint.checkpoint({b}, {j})')
                                  for a, b in (('lambda y: y', 'y -> y'), ('lambda y: y.mul(2).relu()', 'y -> y.mul(2).relu()'),
                                               ('same', 'same::call'), ('lambda y: adding(same(y))', 'y -> adding.call(same.call(y))'))]
                               + [(f'Same()({p})', f'new Same().call({j})'), (f'Wraps(Same())({p})', f'new Wraps(new Same()).call({j})'),
                                  (f'nn.Identity()({p})', f'new Identity().call({j})'),
                                  (f'nn.Sequential(Same(), nn.ReLU())({p})', f'new Sequential(new Same(), new ReLU()).call({j})'),
                                  (f'same.forward({p})', f'same.forward({j})'), (f'adding.forward({p})', f'adding.forward({j})')]
                               + [(f'{p}.{a}', f'{j}.{b}') for a, b in (('contiguous()', 'contiguous()'), ('float()', 'toFloat()'),
                                                                       ('to(torch.float32)', 'to(DType.FLOAT32)'), ('reshape(-1, 16)', 'reshape(-1, 16)'),
                                                                       ('flatten(0, 0)', 'flatten(0, 0)'))]
                               + [(f'F.dropout({p}, 0.5, False)', f'Functional.dropout({j}, 0.5, false)')])
        return py, ja, None

    def condition(self):
        ints = self.of('I')
        if ints and self.chance(0.8):
            n, m = self.r.choice(ints), self.r.choice([2, 3])
            return f'{n} % {m} == 0', f'{n} % {m} == 0'
        lists = self.of('L')
        if lists:
            n, m = self.r.choice(lists), self.r.randint(0, 3)
            return f'len({n}) > {m}', f'{n}.size() > {m}'
        m = self.r.choice([0, 1])
        return f'zero == {m}', f'zero == {m}'

    def argument(self, kind, depth):
        """One of that kind; None if there is none."""
        if kind == 'T':
            return self.expr(depth + 1)
        if kind == 'N':
            n = str(self.r.randint(0, 3))
            return n, n, None
        if kind == 'F' and self.chance(0.5):
            return 'lambda y: y.add(1)', 'y -> y.add(1)', None
        if kind == 'R' and self.records and self.chance(0.5):
            return self.record(depth)
        all = self.of(kind)
        if not all:
            if kind == 'L':
                p, j, _ = self.expr(depth + 1)
                return f'listed({p})', f'listed({j})', None
            return None
        n = self.r.choice(all)
        return n, n, None

    def record(self, depth):
        a, b = self.expr(depth + 1), self.expr(depth + 1)
        return f'Pair({a[0]}, {b[0]})', f'new Pair({a[1]}, {b[1]})', None

    def call(self, kind, depth=0):
        can = [f for f in self.functions if f[2] == kind]
        if not can:
            return None
        name, parameters, _ = self.r.choice(can)
        arguments = [self.argument(each, depth) for each in parameters]
        if None in arguments:
            return None
        return (f"{name}({', '.join(a[0] for a in arguments)})", f"{name}({', '.join(a[1] for a in arguments)})")

    # ---- statements ----

    def block(self, least, most, marks=0.6):
        for _ in range(self.r.randint(least, most)):
            self.statement()
            if self.chance(marks):
                self.mark()

    def statement(self):
        deep = len(self.scopes) - self.function_level
        choices = [(self.new_tensor, 20), (self.rebind, 14), (self.alias, 5), (self.nulled, 6), (self.unnamed, 6),
                   (self.in_place, 6), (self.list_statement, 12), (self.map_statement, 5), (self.deque_statement, 5),
                   (self.record_statement, 4), (self.object_statement, 8), (self.lambda_statement, 3),
                   (self.array_statement, 3)]
        if deep < 3:
            choices += [(self.if_statement, 5), (self.for_range, 6), (self.for_each, 5), (self.try_statement, 6),
                        (self.while_statement, 2), (self.no_grad, 2)]
        if self.given:
            choices += [(self.module_statement, 9)]
        if self.sets:
            choices += [(self.set_statement, 12)]
        if self.top:
            choices += [(self.stream_statement, 0.6), (self.training, 2.5)]
        f = self.r.choices([c[0] for c in choices], [c[1] for c in choices])[0]
        if not f():
            self.new_tensor()

    def new_tensor(self):
        p, j, k = self.expr()
        n = self.name()
        self.s(f'{n} = {p}', f'var {n} = {j};')
        self.declare(n, 'T', k)
        return True

    def assignable(self, kind):
        return [n for n in self.of(kind, False) if not self.var(n)['const']]

    def rebind(self):
        names = self.assignable('T')
        if not names:
            return False
        n = self.r.choice(names)
        v = self.var(n)
        p, j, k = self.expr()
        self.s(f'{n} = {p}', f'{n} = {j};')
        # in a loop or a branch it may be either
        v['rows'] = k if v['level'] == len(self.scopes) or k == v['rows'] else None
        if v['level'] == len(self.scopes) or v['alive']:
            v['alive'] = True
        v['assigned'] = True
        return True

    def alias(self):
        tensors = self.of('T')
        if not tensors:
            return False
        m = self.r.choice(tensors)
        n = self.name()
        self.s(f'{n} = {m}', f'var {n} = {m};')
        self.declare(n, 'T', self.var(m)['rows'])
        return True

    def nulled(self):
        kinds = ['T', 'T', 'T', 'L', 'O', 'R', 'D', 'Q', 'A', 'F'] + (['Z'] if self.sets else [])
        names = [n for n in self.of(self.r.choice(kinds)) if self.var(n)['level'] == len(self.scopes)
                 and not self.var(n)['const']]
        if not names:
            return False
        n = self.r.choice(names)
        self.s(f'{n} = None', f'{n} = null;')
        self.var(n)['alive'] = False
        return True

    def unnamed(self):
        call = self.call('T') or self.call('V')
        if call:
            self.s(call[0], call[1] + ';')
            return True
        p, j, k = self.expr()
        self.s(f'{p}.add(1)', f'{j}.add(1);')
        return True

    def in_place(self):
        tensors = self.of('T')
        if not tensors:
            return False
        n = self.r.choice(tensors)
        op = self.r.choice(['add_(1)', 'mul_(2)', 'zero_()'])
        if self.chance(0.3) and not self.var(n)['const']:
            self.s(f'{n} = {n}.detach().{op}', f'{n} = {n}.detach().{op};')
            self.var(n)['assigned'] = True
        else:
            self.s(f'{n}.detach().{op}', f'{n}.detach().{op};')
        return True

    def list_statement(self):
        r = self.r
        lists = self.of('L')
        if not lists or self.chance(0.15):
            n = self.name()
            what = r.random()
            if what < 0.5 or not lists:
                self.s(f'{n} = []', f'List<Tensor> {n} = new ArrayList<>();')
            elif what < 0.75:
                m = r.choice(lists)
                self.s(f'{n} = list({m})', f'List<Tensor> {n} = new ArrayList<>({m});')
            else:
                call = self.call('L')
                if not call:
                    return False
                self.s(f'{n} = {call[0]}', f'List<Tensor> {n} = {call[1]};')
            self.declare(n, 'L')
            return True
        n = r.choice(lists)
        what = r.random()
        if what < 0.40:
            p, j, _ = self.expr()
            self.s(f'{n}.append({p})', f'{n}.add({j});')
        elif what < 0.50:
            m = self.name()
            self.s(f'{m} = {n}[0] if len({n}) > 0 else torch.ones(1, 16)',
                   f'Tensor {m} = {n}.size() > 0 ? {n}.get(0) : Tensor.ones(1, 16);')
            self.declare(m, 'T')
        elif what < 0.60:
            self.s(f'if len({n}) > 0: {n}.pop()', f'if ({n}.size() > 0) {n}.remove({n}.size() - 1);')
        elif what < 0.66:
            self.s(f'if len({n}) > 1: del {n}[0]', f'if ({n}.size() > 1) {n}.remove(0);')
        elif what < 0.74:
            p, j, _ = self.expr()
            self.s(f'if len({n}) > 0: {n}[0] = {p}', f'if ({n}.size() > 0) {n}.set(0, {j});')
        elif what < 0.80:
            self.s(f'{n}.clear()', f'{n}.clear();')
        elif what < 0.84:
            m = r.choice(lists)
            self.s(f'{n}.extend(list({m}))', f'{n}.addAll(new ArrayList<>({m}));')
        elif what < 0.88:
            self.s(f'if len({n}) > 0: torch.cat({n}, 0).add(1)', f'if ({n}.size() > 0) Functional.cat(0, {n}.toArray(new Tensor[0])).add(1);')
        elif what < 0.92:
            p, j, _ = self.expr()
            self.s(f'{n}.insert(0, {p})', f'{n}.add(0, {j});')
        else:
            m = self.name()
            self.s(f'{m} = {n}.pop() if len({n}) > 0 else torch.zeros(3, 16)',
                   f'Tensor {m} = {n}.size() > 0 ? {n}.removeLast() : Tensor.zeros(3, 16);')
            self.declare(m, 'T')
        return True

    def map_statement(self):
        r = self.r
        maps = self.of('D')
        if not maps or self.chance(0.15):
            n = self.name()
            kind = r.choice(['HashMap', 'LinkedHashMap', 'LinkedHashMap'])
            self.s(f'{n} = {{}}', f'Map<String, Tensor> {n} = new {kind}<>();')
            self.declare(n, 'D', kind)
            return True
        n, key = r.choice(maps), r.choice('abc')
        what = r.random()
        if what < 0.5:
            p, j, _ = self.expr()
            self.s(f'{n}["{key}"] = {p}', f'{n}.put("{key}", {j});')
        elif what < 0.6:
            self.s(f'{n}.pop("{key}", None)', f'{n}.remove("{key}");')
        elif what < 0.75:
            m = self.name()
            self.s(f'{m} = {n}["{key}"] if "{key}" in {n} else torch.ones(2, 16)',
                   f'Tensor {m} = {n}.containsKey("{key}") ? {n}.get("{key}") : Tensor.ones(2, 16);')
            self.declare(m, 'T')
        elif what < 0.82:
            self.s(f'{n}.clear()', f'{n}.clear();')
        elif what < 0.92 and self.var(n)['rows'] == 'LinkedHashMap':
            # a dict keeps its order too
            m = self.name()
            self.opened(f'for {m} in {n}.values():', f'for (var {m} : {n}.values()) {{')
            self.declare(m, 'T', const=True)
            self.around(n)
        else:
            p, j, _ = self.expr()
            self.s(f'{n}.setdefault("{key}", {p})', f'{n}.putIfAbsent("{key}", {j});')
        return True

    def set_statement(self):
        """Nothing that depends on the order, which a set of tensors has by their addresses."""
        r = self.r
        sets, lists = self.of('Z'), self.of('L')
        if not sets or self.chance(0.2):
            n = self.name()
            what = r.random()
            if what < 0.25:
                p, j, _ = self.expr()
                q, i, _ = self.expr()
                self.s(f'{n} = frozenset([{p}, {q}])', f'Set<Tensor> {n} = Set.copyOf(List.of({j}, {i}));')
                self.declare(n, 'Z', 'Set')
                return True
            kind = r.choice(['HashSet', 'LinkedHashSet'])
            m = r.choice(lists) if lists and what < 0.5 else ''
            self.s(f'{n} = set({m})', f'Set<Tensor> {n} = new {kind}<>({m});')
            self.declare(n, 'Z', kind)
            return True
        n = r.choice(sets)
        what = r.random()
        if what < 0.15 or self.var(n)['rows'] == 'Set':
            self.s(f'sum(each.mul(2).numel() for each in {n})',
                   r.choice([f'{n}.stream().mapToLong(each -> each.mul(2).numel()).sum();', f'{n}.forEach(each -> each.mul(2).numel());']))
        elif what < 0.55:
            p, j, _ = self.expr()
            self.s(f'{n}.add({p})', f'{n}.add({j});')
        elif what < 0.70:
            tensors = self.of('T')
            if not tensors:
                return False
            m = r.choice(tensors)
            self.s(f'{n}.discard({m})', f'{n}.remove({m});')
        elif what < 0.76:
            self.s(f'{n}.clear()', f'{n}.clear();')
        elif what < 0.84:
            size = self.rows()
            self.s(f'{n} -= {{each for each in {n} if each.size(0) > {size}}}', f'{n}.removeIf(each -> each.size(0) > {size});')
        else:
            if not lists:
                return False
            m = r.choice(lists)
            how, java = r.choice([('update', 'addAll'), ('update', 'addAll'), ('difference_update', 'removeAll'), ('intersection_update', 'retainAll')])
            self.s(f'{n}.{how}({m})', f'{n}.{java}({m});')
        return True

    def deque_statement(self):
        r = self.r
        deques = self.of('Q')
        if not deques or self.chance(0.15):
            n = self.name()
            self.s(f'{n} = deque()', f'var {n} = new ArrayDeque<Tensor>();')
            self.declare(n, 'Q')
            return True
        n = r.choice(deques)
        what = r.random()
        if what < 0.5:
            p, j, _ = self.expr()
            side = r.random() < 0.8
            self.s(f'{n}.append({p})' if side else f'{n}.appendleft({p})',
                   f'{n}.addLast({j});' if side else f'{n}.addFirst({j});')
        elif what < 0.7:
            self.s(f'if len({n}) > 1: {n}.popleft()', f'if ({n}.size() > 1) {n}.removeFirst();')
        elif what < 0.85:
            m = self.name()
            self.opened(f'for {m} in {n}:', f'for (var {m} : {n}) {{')
            self.declare(m, 'T', const=True)
            self.around(n)
        else:
            m = self.name()
            self.s(f'{m} = {n}.popleft() if len({n}) > 0 else torch.ones(5, 16)',
                   f'Tensor {m} = {n}.size() > 0 ? {n}.pollFirst() : Tensor.ones(5, 16);')
            self.declare(m, 'T')
        return True

    def array_statement(self):
        arrays = self.of('A')
        if not arrays or self.chance(0.3):
            n = self.name()
            if self.chance(0.5):
                self.s(f'{n} = [None] * 3', f'var {n} = new Tensor[3];')
            else:
                a, b, c = self.expr(), self.expr(), self.expr()
                self.s(f'{n} = [{a[0]}, {b[0]}, {c[0]}]', f'var {n} = new Tensor[]{{{a[1]}, {b[1]}, {c[1]}}};')
            self.declare(n, 'A')
            return True
        n, i = self.r.choice(arrays), self.r.randint(0, 2)
        p, j, _ = self.expr()
        if self.chance(0.7):
            self.s(f'{n}[{i}] = {p}', f'{n}[{i}] = {j};')
        else:
            m = self.name()
            self.s(f'{m} = {n}[{i}] if {n}[{i}] is not None else {p}', f'Tensor {m} = {n}[{i}] != null ? {n}[{i}] : {j};')
            self.declare(m, 'T')
        return True

    def record_statement(self):
        n = self.name()
        call = self.call('R') if self.chance(0.5) else None
        p, j = call if call else self.record(0)[:2]
        self.s(f'{n} = {p}', f'var {n} = {j};')
        self.declare(n, 'R')
        return True

    def object_statement(self):
        if not self.classes:
            return False
        r = self.r
        objects = self.of('O')
        if not objects or self.chance(0.25):
            n = self.name()
            c = r.choice(self.classes)
            p, j, _ = self.expr()
            self.s(f'{n} = {c}({p})', f'Holder {n} = new {c}({j});')
            self.declare(n, 'O')
            return True
        n = r.choice(objects)
        what = r.random()
        if what < 0.3:
            p, j, _ = self.expr()
            self.s(f'{n}.held = {p}', f'{n}.held = {j};')
        elif what < 0.5:
            p, j, _ = self.expr()
            self.s(f'{n}.update({p})', f'{n}.update({j});')
        elif what < 0.65:
            m = self.name()
            p, j, _ = self.expr()
            self.s(f'{m} = {n}.scaled({p})', f'var {m} = {n}.scaled({j});')
            self.declare(m, 'T')
        elif what < 0.75:
            c = r.choice(self.classes)
            p, j, _ = self.expr()
            self.s(f'{c}({p}).scaled({n}.held)', f'new {c}({j}).scaled({n}.held);')
        elif what < 0.85:
            m = self.name()
            self.s(f'{m} = {n}.all', f'List<Tensor> {m} = {n}.all;')
            self.declare(m, 'L')
        elif what < 0.92:
            p, j, _ = self.expr()
            self.s(f'Holder.common = {p}', f'Holder.common = {j};')
        else:
            self.s('Holder.common = None', 'Holder.common = null;')
        return True

    def lambda_statement(self):
        n = self.name()
        makers = [f for f in self.functions if f[2] == 'F']
        if makers and self.chance(0.7):
            call = self.call('F')
            if call:
                self.s(f'{n} = {call[0]}', f'UnaryOperator<Tensor> {n} = {call[1]};')
                self.declare(n, 'F')
                return True
        op = self.r.choice(['y.add(1).mul(2)', 'y.neg()', 'y'])
        self.s(f'{n} = lambda y: {op}', f'UnaryOperator<Tensor> {n} = y -> {op};')
        self.declare(n, 'F')
        return True

    def module_statement(self):
        """What modules, their hooks and functions remember, and what fails in them."""
        r = self.r
        p, j, _ = self.expr()
        what = r.random()
        if what < 0.2:
            m = r.choice(['remembers', 'before', 'hooked'])
            self.s(f'{m}.seen = None', f'{m}.seen = null;')
        elif what < 0.3:
            self.s('caught.clear()', 'caught.clear();')
        elif what < 0.4:
            self.s('if len(caught) > 2: del caught[0]', 'if (caught.size() > 2) caught.remove(0);')
        elif what < 0.55:
            self.opened('try:', 'try {')
            m = r.choice(['fails', 'deep'])
            if self.chance(0.5):
                n = self.name()
                self.s(f'{n} = {m}({p})', f'var {n} = {m}.call({j});')
            else:
                self.s(f'{m}({p}).add(1)', f'{m}.call({j}).add(1);')
            self.leave()
            self.opened('except ArithmeticError:', f'}} catch (IllegalStateException {self.fresh("e")}) {{')
            self.body(0, 2)
            self.mark()
            self.closed()
        elif what < 0.7:
            h, m = self.fresh('h'), r.choice(['same', 'adding', 'rebinding', 'either'])
            hook = r.choice([('forward_hook', 'l, i, o', 'registerForwardHook', '(l, i, o)', a, b) for a, b in (
                ('None', 'null'), ('o', 'o'), ('o.add(1)', 'o.add(1)'), ('i[0]', 'i'), ('shared', 'shared'))]
                + [('forward_pre_hook', 'l, i', 'registerForwardPreHook', '(l, i)', a, b) for a, b in (
                    ('None', 'null'), ('i[0]', 'i'), ('i[0].neg()', 'i.neg()'), ('shared', 'shared'))])
            self.s(f'{h} = {m}.register_{hook[0]}(lambda {hook[1]}: {hook[4]})', f'var {h} = {m}.{hook[2]}({hook[3]} -> {hook[5]});')
            n = self.name()
            self.s(f'{n} = {m}({p})', f'var {n} = {m}.call({j});')
            self.declare(n, 'T')
            self.mark()
            self.s(f'{m}({n}).add(1)', f'{m}.call({n}).add(1);')
            self.s(f'{h}.remove()', f'{h}.remove();')
        elif what < 0.85:
            a, b, c = self.fresh('both'), self.fresh('y'), self.fresh('z')
            self.s(f'{b}, {c} = Two.apply({p})', f'var {a} = new Two().applyAll({j});')
            self.s(None, f'var {b} = {a}[0]; var {c} = {a}[1]; {a} = null;')
            self.declare(b, 'T')
            self.declare(c, 'T')
        else:
            self.gradient(p, j)
        return True

    def gradient(self, p, j):
        """Backward through what gives back what it was given."""
        w, y = self.fresh('w'), self.fresh('y')
        self.s(f'{w} = torch.ones(1, 16).requires_grad_(True)', f'var {w} = Tensor.ones(1, 16).requiresGrad_(true);')
        q, i = f'{w}.mul({p}.sum().detach())', f'{w}.mul({j}.sum().detach())'
        if self.chance(0.3):
            py, ja = self.r.choice([('y', 'y'), ('y.mul(2)', 'y.mul(2)'), ('caught.append(y)', '{ caught.add(y); return null; }'), ('None', 'null')])
            self.s(f'{w}.register_hook(lambda y: {py})', f'{w}.registerHook(y -> {ja});')
        for _ in range(self.r.randint(1, 3)):
            a, b = self.r.choice([(f'{m}({q})', f'{m}.call({i})') for m in ('same', 'either', 'wraps', 'adding', 'rebinding', 'sequential', 'caughtBy', 'full', 'keeping', 'named')]
                                 + [(f'{f}.apply({q})', f'new {f}().apply({i})') for f in ('Passed', 'Doubled', 'Exponential', 'Masked', 'Saving')]
                                 + [(f'checkpoint({a}, {q}, use_reentrant=False, preserve_rng_state=False)', f'Checkpoint.checkpoint({b}, {i})') for a, b in (
                                     ('lambda y: y', 'y -> y'), ('same', 'same::call'), ('lambda y: y.sigmoid().mul(y)', 'y -> y.sigmoid().mul(y)'))])
            q, i = a, b
        self.s(f'{y} = {q}', f'var {y} = {i};')
        self.mark()
        self.s(f'{y}.sum().backward()', f'{y}.sum().backward();')
        self.mark()
        if self.chance(0.5):
            self.s(f'{w}.grad = None', f'{w}.grad(null);')
        self.s(f'{w} = None', f'{w} = null;')
        self.s(f'{y} = None', f'{y} = null;')
        self.mark()

    def stream_statement(self):
        lists = self.of('L')
        if not lists:
            return False
        n, m = self.r.choice(lists), self.name()
        if self.more:
            return self.more_streams(n, m)
        self.s(f'{m} = [y.add(1) for y in {n}]', f'List<Tensor> {m} = {n}.stream().map(y -> y.add(1)).toList();')
        self.declare(m, 'S')
        return True

    def more_streams(self, n, m):
        ways = [
            (f'[y.mul(2).relu() for y in {n} if y.numel() > 0]',
             f'{n}.stream().filter(y -> y.numel() > 0).map(y -> y.mul(2).relu()).toList()'),
            (f'[y.add(1) for y in {n}]', f'{n}.stream().map(y -> y.add(1)).collect(Collectors.toList())'),
            ('[torch.ones(3, 16).add(y) for y in range(3)]',
             'IntStream.range(0, 3).mapToObj(y -> Tensor.ones(3, 16).add(y)).toList()'),
            (f'[y.add(1) for y in list({n})[:2]]', f'{n}.stream().limit(2).map(y -> y.add(1)).toList()'),
            ('[y.neg() for y in (torch.ones(3, 16), torch.ones(2, 16))]',
             'Stream.of(Tensor.ones(3, 16), Tensor.ones(2, 16)).map(Tensor::neg).toList()'),
            ('[torch.ones(3, 16), torch.ones(2, 16).relu()]', 'Arrays.asList(Tensor.ones(3, 16), Tensor.ones(2, 16).relu())'),
            (f'list({n})', f'List.copyOf({n})'),
            ("list({'a': torch.ones(3, 16), 'b': torch.ones(2, 16)}.values())",
             'List.copyOf(Map.of("a", Tensor.ones(3, 16), "b", Tensor.ones(2, 16)).values())'),
        ]
        py, ja = self.r.choice(ways)
        self.s(f'{m} = {py}', f'List<Tensor> {m} = {ja};')
        self.declare(m, 'S')
        self.mark()
        if self.chance(0.7):
            self.s(f'[y.add(1) for y in {m}]', f'{m}.stream().map(y -> y.add(1)).toList();')
        return True

    def body(self, least, most):
        if self.chance(0.5):
            self.mark()
        self.block(least, most, 0.3)

    def around(self, name):
        """The body of a loop over a container, which it must not change."""
        self.var(name)['alive'] = False
        self.body(1, 2)
        self.var(name)['alive'] = True
        self.closed()

    def if_statement(self):
        c = self.condition()
        self.opened(f'if {c[0]}:', f'if ({c[1]}) {{')
        self.body(1, 3)
        if self.chance(0.4):
            self.leave()
            self.opened('else:', '} else {')
            self.body(1, 3)
        self.closed()
        return True

    def for_range(self):
        i, n = self.fresh('i'), self.r.randint(1, 4)
        self.opened(f'for {i} in range({n}):', f'for (int {i} = 0; {i} < {n}; {i}++) {{')
        self.declare(i, 'I', const=True)
        self.body(1, 4)
        if self.chance(0.2):
            word = self.r.choice(['break', 'continue'])
            self.s(f'if {i} == 1: {word}', f'if ({i} == 1) {word};')
            self.mark()
        self.closed()
        return True

    def while_statement(self):
        i, n = self.fresh('i'), self.r.randint(1, 3)
        self.s(f'{i} = 0', f'int {i} = 0;')
        self.opened(f'while {i} < {n}:', f'while ({i} < {n}) {{')
        self.s(f'{i} += 1', f'{i}++;')
        self.body(1, 3)
        self.closed()
        return True

    def for_each(self):
        lists = self.of('L')
        n = self.name()
        if self.chance(0.2):
            call = self.call('L')
            if call:
                self.opened(f'for {n} in {call[0]}:', f'for (var {n} : {call[1]}) {{')
                self.declare(n, 'T', const=True)
                self.body(1, 3)
                self.closed()
                return True
        if self.chance(0.15):
            a, b = self.expr(), self.expr()
            self.opened(f'for {n} in [{a[0]}, {b[0]}]:', f'for (var {n} : new Tensor[]{{{a[1]}, {b[1]}}}) {{')
        elif lists:
            m = self.r.choice(lists)
            # what runs in the loop may change the list
            self.opened(f'for {n} in list({m}):', f'for (var {n} : new ArrayList<>({m})) {{')
        else:
            return False
        self.declare(n, 'T', const=self.chance(0.5))
        self.body(1, 3)
        if self.chance(0.15):
            self.s('break', 'if (zero == 0) break;')
        self.closed()
        return True

    def try_statement(self):
        throwing = [f for f in self.functions if f[2] == 'X']
        if not throwing:
            return False
        name, parameters, _ = self.r.choice(throwing)
        self.opened('try:', 'try {')
        if self.chance(0.4):
            self.body(1, 2)
        n = self.r.randint(0, 3)
        p, j, _ = self.expr()
        m = self.name()
        if self.chance(0.3):
            q, i, _ = self.expr()
            self.s(f'{m} = {q}.add(torch.ones(1, 16).mul({name}({p}, {n}).sum()))',
                   f'var {m} = {i}.add(Tensor.ones(1, 16).mul({name}({j}, {n}).sum()));')
        else:
            self.s(f'{m} = {name}({p}, {n})', f'var {m} = {name}({j}, {n});')
        self.declare(m, 'T')
        self.leave()
        finish = self.chance(0.35)
        if not finish or self.chance(0.7):
            if self.chance(0.5):
                e = self.fresh('e')
                self.opened(f'except ArithmeticError as {e}:', f'}} catch (IllegalStateException {e}) {{')
            else:
                self.opened('except ArithmeticError:', f'}} catch (IllegalStateException {self.fresh("e")}) {{')
            self.body(0, 2)
            self.mark()
            if finish:
                self.leave()
        else:
            # what is not caught here would end the program
            self.opened('except ArithmeticError:', f'}} catch (IllegalStateException {self.fresh("e")}) {{')
            self.leave()
        if finish:
            self.opened('finally:', '} finally {')
            self.body(1, 2)
            self.mark()
        self.closed()
        return True

    def no_grad(self):
        self.opened('with torch.no_grad():', 'try (var off = new NoGrad()) {')
        self.scopes[-1]['off'] = dict(kind='-', rows=None, alive=False, const=True, level=len(self.scopes))
        if 'off' in [n for each in self.scopes[:-1] for n in each]:
            self.ja[-1] = '    ' * (self.indent - 1) + '{'
        self.body(1, 3)
        self.closed()
        return True

    def training(self):
        r = self.r
        net, opt, x = self.fresh('net'), self.fresh('opt'), self.fresh('x')
        c = r.choice(['Net1', 'Net2', 'Net3'])
        self.nets.add(c)
        momentum = r.choice([0, 0, 0.9])
        self.s(f'{net} = {c}()', f'var {net} = new {c}();')
        self.s(f'{opt} = torch.optim.SGD({net}.parameters(), lr=0.1, momentum={momentum}, foreach=True)',
               f'var {opt} = new SGD({net}.parameters(), 0.1)' + (f'.momentum({momentum});' if momentum else ';'))
        self.s(f'{x} = torch.randn(4, 16)', f'var {x} = Tensor.randn(4, 16);')
        self.mark()
        total, losses = self.fresh('total'), self.fresh('losses')
        what = r.choice(['none', 'total', 'losses', 'detached'])
        if what == 'total':
            self.s(f'{total} = torch.zeros(1, 1)', f'var {total} = Tensor.zeros(1, 1);')
        if what in ('losses', 'detached'):
            self.s(f'{losses} = []', f'List<Tensor> {losses} = new ArrayList<>();')
        i = self.fresh('i')
        self.opened(f'for {i} in range({r.randint(2, 3)}):', None)
        self.ja.append('    ' * (self.indent - 1) + f'for (int {i} = 0; {i} < {self.py[-1].split("(")[1].split(")")[0]}; {i}++) {{')
        order = r.choice(['before', 'after', 'never'])
        if order == 'before':
            self.s(f'{opt}.zero_grad()', f'{opt}.zeroGrad();')
            self.mark()
        if r.random() < 0.5:
            self.s(f'y = {net}({x})', f'var y = {net}.call({x});')
            self.mark()
            self.s('loss = y.mul(y).mean()', 'var loss = y.mul(y).mean();')
        else:
            self.s(f'loss = {net}({x}).pow(2).mean()', f'var loss = {net}.call({x}).pow(2).mean();')
        self.mark()
        self.s('loss.backward()', 'loss.backward();')
        self.mark()
        self.s(f'{opt}.step()', f'{opt}.step();')
        self.mark()
        if order == 'after':
            self.s(f'{opt}.zero_grad()', f'{opt}.zeroGrad();')
            self.mark()
        if what == 'total':
            d = r.choice(['', '.detach()'])
            self.s(f'{total} = {total}.add(loss{d})', f'{total} = {total}.add(loss{d});')
        if what == 'losses':
            self.s(f'{losses}.append(loss)', f'{losses}.add(loss);')
        if what == 'detached':
            self.s(f'{losses}.append(loss.detach())', f'{losses}.add(loss.detach());')
        self.mark()
        self.closed()
        if r.random() < 0.5:
            self.opened('with torch.no_grad():', 'try (var none = new NoGrad()) {')
            self.s(f'y = {net}({x})', f'var y = {net}.call({x});')
            self.mark()
            self.closed()
        if r.random() < 0.5:
            self.s(f'{net} = None', f'{net} = null;')
            self.s(f'{opt} = None', f'{opt} = null;')
            self.mark()
            self.escapes.add('parameters')
        return True

    # ---- declarations ----

    def declared(self, py, ja):
        """A function or class whose text is at hand."""
        self.decl_py += py.strip('\n').split('\n')
        self.decl_ja += ja.strip('\n').split('\n')

    def function(self, kinds, result):
        """One with a random body."""
        outer = self.py, self.ja, self.scopes, self.indent, self.function_level, self.top
        self.py, self.ja, self.indent, self.top = [], [], 0, False
        self.scopes = [{}]
        self.function_level = 1
        name = self.fresh('f')
        types = dict(T='Tensor', L='List<Tensor>', R='Pair', O='Holder', F='UnaryOperator<Tensor>', N='int', V='void', X='Tensor')
        parameters = []
        for each in kinds:
            n = self.name()
            self.declare(n, 'I' if each == 'N' else each, const=each == 'N' or result == 'F')
            parameters.append((n, types[each]))
        self.opened(f"def {name}({', '.join(p[0] for p in parameters)}):",
                    f"static {types[result]} {name}({', '.join(p[1] + ' ' + p[0] for p in parameters)}) {{")
        if result == 'F':
            p = parameters[0][0]
            op = self.r.choice([f'y.add({p}.sum())', f'y.mul(2).sub({p}.sum())', f'y if y is None else {p}'])
            ja = op if ' if ' not in op else f'y == null ? y : {p}'
            if self.chance(0.5):
                self.new_tensor()
            self.s(f'return lambda y: {op}', f'return y -> {ja};')
        else:
            self.block(1, 5, 0.35)
            if result == 'X':
                self.opened(f'if {parameters[-1][0]} > 0:', f'if ({parameters[-1][0]} > 0) {{')
                if self.chance(0.3) and any(f[2] == 'X' for f in self.functions):
                    other = self.r.choice([f for f in self.functions if f[2] == 'X'])
                    p, j, _ = self.expr()
                    n = self.name()
                    self.s(f'{n} = {other[0]}({p}, {parameters[-1][0]})', f'var {n} = {other[0]}({j}, {parameters[-1][0]});')
                self.s('raise ArithmeticError("meant")', 'throw new IllegalStateException("meant");')
                self.closed()
            elif self.chance(0.2) and result == 'T':
                c = self.condition()
                p, j, _ = self.expr()
                self.s(f'if {c[0]}: return {p}', f'if ({c[1]}) return {j};')
            if result in ('T', 'X'):
                p, j, _ = self.expr()
                self.s(f'return {p}', f'return {j};')
            elif result == 'R':
                p, j, _ = self.record(0)
                self.s(f'return {p}', f'return {j};')
            elif result == 'L':
                lists = self.of('L')
                if lists and self.chance(0.7):
                    n = self.r.choice(lists)
                    self.s(f'return {n}', f'return {n};')
                else:
                    a, b = self.expr(), self.expr()
                    self.s(f'return listed({a[0]}, {b[0]})', f'return listed({a[1]}, {b[1]});')
            elif result == 'V':
                self.mark()
        self.closed()
        self.declared('\n'.join(self.py), '\n'.join(self.ja))
        self.py, self.ja, self.scopes, self.indent, self.function_level, self.top = outer
        self.functions.append((name, kinds, result))

    def build(self):
        r = self.r
        self.nets = set()
        self.scopes = [{}]
        self.function_level = 1
        self.top = False
        self.records.append('Pair')
        self.modules = ['same', 'either', 'remembers', 'before', 'wraps', 'adding', 'rebinding', 'chain', 'lists', 'direct',
                        'sequential', 'empty', 'inplace', 'shaped', 'dropping', 'hooked', 'caughtBy', 'full', 'keeping', 'named']
        if self.given:
            self.declared(*(extending(*GIVEN) if self.extends else GIVEN))
        for _ in range(r.randint(0, 1)):
            self.function(['T'], 'T')
        # a class, and one that inherits from it
        method = r.choice(['self.held.mul(t.sum())', 't.add(self.held.sum())', 'self.held.add(1).add(t.sum())'])
        java = method.replace('self.', '')
        update = r.choice(['plain', 'list', 'bounded', 'chained'])
        py, ja = {
            'plain': ('self.held = t', 'held = t;'),
            'list': ('self.all.append(t)', 'all.add(t);'),
            'bounded': ('self.all.append(self.held)\n        self.held = t\n        if len(self.all) > 2: del self.all[0]',
                        'all.add(held); held = t; if (all.size() > 2) all.remove(0);'),
            'chained': ('self.held = self.held.add(t.sum())', 'held = held.add(t.sum());')}[update]
        self.declared(f'''
class Holder:
    common = None
    def __init__(self, held):
        self.held = held
        self.all = []
    def update(self, t):
        {py}
    def scaled(self, t):
        u = t.mul(2)
        t = u.add(1)
        mark()
        return {method}
class Wider(Holder):
    def __init__(self, held):
        super().__init__(held)
        self.extra = held.mul(2)
    def update(self, t):
        super().update(t)
        self.extra = self.extra.add(1)
''', f'''
static class Holder {{
    static Tensor common;
    Tensor held;
    List<Tensor> all = new ArrayList<>();
    Holder(Tensor held) {{ this.held = held; }}
    void update(Tensor t) {{ {ja} }}
    Tensor scaled(Tensor t) {{ var u = t.mul(2); t = u.add(1); mark(); return {java}; }}
}}
static class Wider extends Holder {{
    Tensor extra;
    Wider(Tensor held) {{ super(held); extra = held.mul(2); }}
    void update(Tensor t) {{ super.update(t); extra = extra.add(1); }}
}}
''')
        self.classes += ['Holder', 'Wider']
        self.declared('''
def recursive(t, n):
    if n == 0:
        return t.add(1)
    u = t.mul(2)
    v = recursive(u.neg(), n - 1)
    mark()
    t = v.add(1)
    mark()
    return t
''', '''
static Tensor recursive(Tensor t, int n) {
    if (n == 0) return t.add(1);
    var u = t.mul(2);
    var v = recursive(u.neg(), n - 1);
    mark();
    t = v.add(1);
    mark();
    return t;
}
''')
        self.functions.append(('recursive', ['T', 'N'], 'T'))
        kinds = [(['T'], 'T'), (['T', 'T'], 'T'), (['T', 'N'], 'X'), (['T'], 'R'), (['T'], 'L'), (['L'], 'T'), (['T'], 'F'),
                 (['R'], 'T'), (['O', 'T'], 'T'), (['T', 'F'], 'T'), (['L', 'T'], 'V'), (['T', 'N'], 'X'), (['T', 'N'], 'T')]
        for _ in range(r.randint(2, 5)):
            k, result = r.choice(kinds)
            self.function(k, result)
        self.py, self.ja, self.scopes, self.indent, self.top = [], [], [{}], 0, True
        self.block(6, 16, 0.9)
        self.mark()
        nets = {'Net1': ('''
class Net1(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(16, 8)
        self.b = nn.Linear(8, 16)
    def forward(self, x):
        x = self.a(x)
        x = F.relu(x)
        return self.b(x)
''', '''
static class Net1 extends io.vramlab.nn.Module {
    Linear a = new Linear(16, 8), b = new Linear(8, 16);
    public Tensor forward(Tensor x) { x = a.call(x); x = x.relu(); return b.call(x); }
}
'''), 'Net2': ('''
class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 16))
        self.seen = None
        self.scale = nn.Parameter(torch.ones(16))
    def forward(self, x):
        h = self.layers(x)
        self.seen = h.detach()
        return h.mul(self.scale)
''', '''
static class Net2 extends io.vramlab.nn.Module {
    Sequential layers = new Sequential(new Linear(16, 8), new ReLU(), new Linear(8, 16));
    Tensor seen;
    Parameter scale = new Parameter(Tensor.ones(16));
    public Tensor forward(Tensor x) { var h = layers.call(x); seen = h.detach(); return h.mul(scale); }
}
'''), 'Net3': ('''
class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(16, 16)
    def forward(self, x):
        return x.add(self.lin(x).relu())
class Net3(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([Part(), Part()])
    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x.tanh()
''', '''
static class Part extends io.vramlab.nn.Module {
    Linear lin = new Linear(16, 16);
    public Tensor forward(Tensor x) { return x.add(lin.call(x).relu()); }
}
static class Net3 extends io.vramlab.nn.Module {
    List<Part> parts = List.of(new Part(), new Part());
    public Tensor forward(Tensor x) { for (var part : parts) x = part.call(x); return x.tanh(); }
}
''')}
        for each in sorted(self.nets):
            self.declared(*nets[each])
        return self

    PYTHON = '''
Pair = namedtuple('Pair', ['a', 'b'])
def listed(*all):
    return list(all)
zero = 0
'''
    JAVA = '''record Pair(Tensor a, Tensor b) { }
static List<Tensor> listed(Tensor... all) { var l = new ArrayList<Tensor>(); for (var each : all) l.add(each); return l; }
static int zero;
'''

    def python(self):
        return self.PYTHON + '\n'.join(self.decl_py) + '\n' + '\n'.join(self.py) + '\n'

    def java(self):
        return self.JAVA + '\n'.join(self.decl_ja), '\n'.join(self.ja)


def run(program, meter):
    """What CPython keeps alive: [alive, most since the mark before] at each mark, and once all is forgotten."""
    import gc, torch, torch.nn as nn, torch.nn.functional as F
    from collections import deque, namedtuple
    marks = []

    def mark():
        marks.append([meter.count_live(), meter.count_peak()])
        meter.count_reset()
    from torch.utils.checkpoint import checkpoint
    globals = dict(torch=torch, nn=nn, F=F, checkpoint=checkpoint, deque=deque, namedtuple=namedtuple, mark=mark)
    code = compile(program.python(), 'program', 'exec')
    before = meter.count_live()
    meter.count_reset()
    exec(code, globals)
    return [[live - before, peak - before] for live, peak in marks]


def main():
    if sys.argv[1] == 'show':
        p = Program(int(sys.argv[2]), int(sys.argv[3])).build()
        print(p.python())
        print('\n'.join(p.java()))
        print('// escapes:', sorted(p.escapes))
        return
    if sys.argv[1] == 'generate':
        programs = []
        for index in range(int(sys.argv[3]), int(sys.argv[4])):
            p = Program(int(sys.argv[2]), index).build()
            declarations, statements = p.java()
            programs.append(dict(index=index, escapes=sorted(p.escapes), declarations=declarations, statements=statements, marks=[]))
        with gzip.open(sys.argv[5], 'wt') as f:
            json.dump(dict(seed=int(sys.argv[2]), programs=programs), f)
        return
    import ctypes, gc
    meter = ctypes.CDLL(None)
    for each in ('count_live', 'count_peak'):
        getattr(meter, each).restype = ctypes.c_long
    import torch
    torch.set_num_threads(1)
    # the first one of a process imports what keeps its input in a circle
    from torch.utils.checkpoint import checkpoint
    checkpoint(lambda y: y.add(1), torch.ones(2), use_reentrant=False, preserve_rng_state=False)
    gc.collect()
    gc.disable()
    seed, count, out = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    programs, index = [], 0
    while len(programs) < count:
        p = Program(seed, index).build()
        try:
            marks = run(p, meter)
            gc.collect()
            if len(marks) <= 300:
                declarations, statements = p.java()
                programs.append(dict(index=index, escapes=sorted(p.escapes), declarations=declarations, statements=statements,
                                     marks=marks))
        except Exception as e:
            print(index, type(e).__name__, e, flush=True)
        index += 1
    with gzip.open(out, 'wt') as f:
        json.dump(dict(seed=seed, python=sys.version.split()[0], torch=torch.__version__, programs=programs), f)
    print(count, 'programs of', index, sum(len(p['marks']) for p in programs), 'marks')


main()
