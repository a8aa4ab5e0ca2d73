"""Ten programs as somebody writes them who comes from PyTorch, and the same line by line in Java; what CPython keeps alive.

usage: lifetimes_ports.py OUTFILE      (on the CPU, under LD_PRELOAD of lifetimes_count.c, see lifetimes.py)

Recorded at each mark(): [bytes of tensors alive, the most since the mark before], in lifetimes.py's format. What an operation
takes inside differs between a CPU and a GPU, so only the first is compared.
"""
import collections, copy, ctypes, gc, gzip, json, sys

PORTS = [('an autoencoder with a loss class of its own', '''
class SparseLoss(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.last = None
    def forward(self, x, y, h):
        self.last = h.abs().mean()
        return F.mse_loss(y, x) + self.weight * self.last
class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8))
        self.dec = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 64))
    def forward(self, x):
        h = self.enc(x)
        return self.dec(h), h
net = Auto()
criterion = SparseLoss(0.1)
opt = torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9)
mark()
for step in range(3):
    x = torch.randn(16, 64)
    y, h = net(x)
    loss = criterion(x, y, h)
    mark()
    opt.zero_grad()
    loss.backward()
    opt.step()
    mark()
with torch.no_grad():
    y, _ = net(torch.randn(16, 64))
mark()
''', '''
static class SparseLoss extends io.vramlab.nn.Module {
    double weight;
    Tensor last;
    SparseLoss(double weight) { this.weight = weight; }
    Tensor call(Tensor x, Tensor y, Tensor h) {
        last = h.abs().mean();
        return Functional.mseLoss(y, x).add(last.mul(weight));
    }
    public Tensor forward(Tensor x) { return x; }
}
static class Auto extends io.vramlab.nn.Module {
    Sequential enc = new Sequential(new Linear(64, 32), new ReLU(), new Linear(32, 8));
    Sequential dec = new Sequential(new Linear(8, 32), new ReLU(), new Linear(32, 64));
    Tensor[] both(Tensor x) {
        var h = enc.call(x);
        return new Tensor[]{dec.call(h), h};
    }
    public Tensor forward(Tensor x) { return both(x)[0]; }
}
''', '''
var net = new Auto();
var criterion = new SparseLoss(0.1);
var opt = new SGD(net.parameters(), 1e-3).momentum(0.9);
mark();
Tensor y = null;
for (int step = 0; step < 3; step++) {
    var x = Tensor.randn(16, 64);
    var all = net.both(x);
    y = all[0];
    var h = all[1];
    all = null;
    var loss = criterion.call(x, y, h);
    mark();
    opt.zeroGrad();
    loss.backward();
    opt.step();
    mark();
}
Tensor rest;
try (var none = new NoGrad()) {
    var all = net.both(Tensor.randn(16, 64));
    y = all[0];
    rest = all[1];
    all = null;
}
mark();
'''), ('contrastive learning with a queue and a momentum encoder', '''
query = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
key = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
for p, k in zip(query.parameters(), key.parameters()):
    k.data.copy_(p.data)
    k.requires_grad_(False)
p, k = None, None
opt = torch.optim.SGD(query.parameters(), lr=0.1, momentum=0.9)
queue = collections.deque(maxlen=4)
mark()
for step in range(6):
    x = torch.randn(8, 32)
    q = F.normalize(query(x + 0.1 * torch.randn(8, 32)), dim=1)
    with torch.no_grad():
        for a, b in zip(query.parameters(), key.parameters()):
            b.mul_(0.99).add_(a, alpha=0.01)
        k = F.normalize(key(x), dim=1)
    positive = (q * k).sum(dim=1, keepdim=True)
    logits = positive
    if queue:
        negatives = torch.cat(list(queue))
        logits = torch.cat([positive, q @ negatives.t()], dim=1)
    loss = -(F.log_softmax(logits / 0.07, dim=1)[:, 0]).mean()
    mark()
    opt.zero_grad()
    loss.backward()
    opt.step()
    queue.append(k)
    mark()
''', '', '''
var query = new Sequential(new Linear(32, 32), new ReLU(), new Linear(32, 16));
var key = new Sequential(new Linear(32, 32), new ReLU(), new Linear(32, 16));
for (int i = 0; i < query.parameters().size(); i++) {
    key.parameters().get(i).detach().copy_(query.parameters().get(i).detach());
    key.parameters().get(i).requiresGrad_(false);
}
var opt = new SGD(query.parameters(), 0.1).momentum(0.9);
var queue = new ArrayDeque<Tensor>();
mark();
Tensor k = null;
for (int step = 0; step < 6; step++) {
    var x = Tensor.randn(8, 32);
    var q = Functional.normalize(query.call(x.add(Tensor.randn(8, 32).mul(0.1))), 2, 1);
    try (var none = new NoGrad()) {
        for (int i = 0; i < query.parameters().size(); i++) {
            key.parameters().get(i).mul_(0.99).add_(query.parameters().get(i), 0.01);
        }
        k = Functional.normalize(key.call(x), 2, 1);
    }
    var positive = q.mul(k).sum(1, true);
    var logits = positive;
    if (!queue.isEmpty()) {
        var negatives = Tensor.cat(List.copyOf(queue), 0);
        logits = Tensor.cat(1, positive, q.matmul(negatives.t()));
    }
    var loss = logits.div(0.07).logSoftmax(1).select(1, 0).mean().neg();
    mark();
    opt.zeroGrad();
    loss.backward();
    opt.step();
    if (queue.size() == 4) {
        queue.removeFirst();
    }
    queue.addLast(k);
    mark();
}
'''), ('sequence to sequence with teacher forcing', '''
class Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.mix = nn.Linear(32, 16)
        self.out = nn.Linear(16, 20)
    def forward(self, source, target, forced):
        h = torch.zeros(4, 16)
        for t in range(source.size(1)):
            h = torch.tanh(self.mix(torch.cat([self.embed(source[:, t]), h], dim=1)))
        outputs = []
        x = target[:, 0]
        for t in range(1, target.size(1)):
            h = torch.tanh(self.mix(torch.cat([self.embed(x), h], dim=1)))
            y = self.out(h)
            outputs.append(y)
            x = target[:, t] if forced else y.argmax(dim=1)
        return torch.stack(outputs, dim=1)
net = Seq()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mark()
for step in range(4):
    source = torch.randint(0, 20, (4, 5))
    target = torch.randint(0, 20, (4, 6))
    logits = net(source, target, step % 2 == 0)
    mark()
    loss = F.cross_entropy(logits.reshape(-1, 20), target[:, 1:].reshape(-1))
    mark()
    opt.zero_grad()
    loss.backward()
    mark()
    opt.step()
''', '''
static class Seq extends io.vramlab.nn.Module {
    Embedding embed = new Embedding(20, 16);
    Linear mix = new Linear(32, 16);
    Linear out = new Linear(16, 20);
    Tensor call(Tensor source, Tensor target, boolean forced) {
        var h = Tensor.zeros(4, 16);
        for (int t = 0; t < source.size(1); t++) {
            h = mix.call(Tensor.cat(1, embed.call(source.select(1, t)), h)).tanh();
        }
        var outputs = new ArrayList<Tensor>();
        var x = target.select(1, 0);
        for (int t = 1; t < target.size(1); t++) {
            h = mix.call(Tensor.cat(1, embed.call(x), h)).tanh();
            var y = out.call(h);
            outputs.add(y);
            x = forced ? target.select(1, t) : y.argmax(1);
        }
        return Tensor.stack(outputs, 1);
    }
    public Tensor forward(Tensor x) { return x; }
}
''', '''
var net = new Seq();
var opt = new SGD(net.parameters(), 0.1);
mark();
for (int step = 0; step < 4; step++) {
    var source = Tensor.randint(TensorOptions.of(DType.INT64), 0, 20, 4, 5);
    var target = Tensor.randint(TensorOptions.of(DType.INT64), 0, 20, 4, 6);
    var logits = net.call(source, target, step % 2 == 0);
    mark();
    var loss = Functional.crossEntropy(logits.reshape(-1, 20), target.narrow(1, 1, 5).reshape(-1));
    mark();
    opt.zeroGrad();
    loss.backward();
    mark();
    opt.step();
}
'''), ('a policy gradient with lists of probabilities and rewards', '''
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 3)
        self.saved_log_probs = []
        self.rewards = []
    def forward(self, x):
        return F.log_softmax(self.b(F.relu(self.a(x))), dim=1)
policy = Policy()
opt = torch.optim.SGD(policy.parameters(), lr=1e-2, momentum=0.9)
def finish():
    R = 0
    returns = collections.deque()
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.appendleft(R)
    returns = torch.tensor(list(returns))
    returns = (returns - returns.mean()) / (returns.std() + 1e-5)
    losses = []
    for log_prob, R in zip(policy.saved_log_probs, returns):
        losses.append(-log_prob * R)
    mark()
    opt.zero_grad()
    loss = torch.cat(losses).sum()
    loss.backward()
    opt.step()
    mark()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
for episode in range(3):
    state = torch.randn(1, 4)
    for t in range(5):
        log_probs = policy(state)
        policy.saved_log_probs.append(log_probs[:, t % 2])
        policy.rewards.append(1.0 + t)
        state = torch.randn(1, 4)
    mark()
    finish()
    mark()
''', '''
static class Policy extends io.vramlab.nn.Module {
    Linear a = new Linear(4, 16);
    Linear b = new Linear(16, 3);
    List<Tensor> savedLogProbs = new ArrayList<>();
    List<Double> rewards = new ArrayList<>();
    public Tensor forward(Tensor x) { return b.call(a.call(x).relu()).logSoftmax(1); }
}
static Policy policy = new Policy();
static SGD opt = new SGD(policy.parameters(), 1e-2).momentum(0.9);
static void finish() {
    double total = 0;
    var backwards = new ArrayDeque<Float>();
    for (double r : policy.rewards.reversed()) {
        total = r + 0.99 * total;
        backwards.addFirst((float) total);
    }
    var numbers = new float[backwards.size()];
    for (int i = 0; i < numbers.length; i++) {
        numbers[i] = backwards.removeFirst();
    }
    var returns = Tensor.of(numbers);
    returns = returns.sub(returns.mean()).div(returns.std().add(1e-5));
    var losses = new ArrayList<Tensor>();
    for (int i = 0; i < policy.savedLogProbs.size(); i++) {
        var logProb = policy.savedLogProbs.get(i);
        var r = returns.select(0, i);
        losses.add(logProb.neg().mul(r));
    }
    mark();
    opt.zeroGrad();
    var loss = Tensor.cat(losses, 0).sum();
    loss.backward();
    opt.step();
    mark();
    policy.rewards.clear();
    policy.savedLogProbs.clear();
}
''', '''
for (int episode = 0; episode < 3; episode++) {
    var state = Tensor.randn(1, 4);
    for (int t = 0; t < 5; t++) {
        var logProbs = policy.call(state);
        policy.savedLogProbs.add(logProbs.select(1, t % 2));
        policy.rewards.add(1.0 + t);
        state = Tensor.randn(1, 4);
    }
    mark();
    finish();
    mark();
}
'''), ('distillation with two models', '''
teacher = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10)).eval()
student = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 10))
for p in teacher.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(student.parameters(), lr=1e-3, momentum=0.9)
def distill(s, t, y, T=4.0, alpha=0.7):
    soft = F.kl_div(F.log_softmax(s / T, dim=1), F.softmax(t / T, dim=1), reduction='batchmean') * (T * T)
    hard = F.cross_entropy(s, y)
    return alpha * soft + (1 - alpha) * hard
history = []
for step in range(3):
    x, y = torch.randn(16, 32), torch.randint(0, 10, (16,))
    with torch.no_grad():
        t = teacher(x)
    s = student(x)
    loss = distill(s, t, y)
    mark()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.detach())
    mark()
mean = torch.stack(history).mean()
history.clear()
mark()
''', '''
static Tensor distill(Tensor s, Tensor t, Tensor y, double T, double alpha) {
    var soft = KLDivLoss.batchMean(false).call(s.div(T).logSoftmax(1), t.div(T).softmax(1)).mul(T * T);
    var hard = Functional.crossEntropy(s, y);
    return soft.mul(alpha).add(hard.mul(1 - alpha));
}
''', '''
var teacher = new Sequential(new Linear(32, 64), new ReLU(), new Linear(64, 10));
teacher.eval();
var student = new Sequential(new Linear(32, 16), new ReLU(), new Linear(16, 10));
for (var p : teacher.parameters()) {
    p.requiresGrad_(false);
}
var opt = new SGD(student.parameters(), 1e-3).momentum(0.9);
var history = new ArrayList<Tensor>();
for (int step = 0; step < 3; step++) {
    var x = Tensor.randn(16, 32);
    var y = Tensor.randint(TensorOptions.of(DType.INT64), 0, 10, 16);
    Tensor t;
    try (var none = new NoGrad()) {
        t = teacher.call(x);
    }
    var s = student.call(x);
    var loss = distill(s, t, y, 4.0, 0.7);
    mark();
    opt.zeroGrad();
    loss.backward();
    opt.step();
    history.add(loss.detach());
    mark();
}
var mean = Tensor.stack(history, 0).mean();
history.clear();
mark();
'''), ('folds, each with a model of its own', '''
data, labels = torch.randn(40, 16), torch.randn(40, 1)
scores = []
for fold in range(4):
    valid = torch.arange(fold * 10, fold * 10 + 10)
    train = torch.cat([torch.arange(0, fold * 10), torch.arange(fold * 10 + 10, 40)])
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1))
    opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)
    for epoch in range(2):
        opt.zero_grad()
        loss = F.mse_loss(model(data[train]), labels[train])
        loss.backward()
        opt.step()
        mark()
    with torch.no_grad():
        scores.append(F.mse_loss(model(data[valid]), labels[valid]))
    mark()
best = min(s.item() for s in scores)
mark()
''', '', '''
var data = Tensor.randn(40, 16);
var labels = Tensor.randn(40, 1);
var scores = new ArrayList<Tensor>();
for (int fold = 0; fold < 4; fold++) {
    var valid = Tensor.arange(TensorOptions.of(DType.INT64), fold * 10, fold * 10 + 10, 1);
    var train = Tensor.cat(0, Tensor.arange(TensorOptions.of(DType.INT64), 0, fold * 10, 1),
            Tensor.arange(TensorOptions.of(DType.INT64), fold * 10 + 10, 40, 1));
    var model = new Sequential(new Linear(16, 32), new ReLU(), new Linear(32, 1));
    var opt = new SGD(model.parameters(), 1e-2).momentum(0.9);
    for (int epoch = 0; epoch < 2; epoch++) {
        opt.zeroGrad();
        var loss = Functional.mseLoss(model.call(data.index(train)), labels.index(train));
        loss.backward();
        opt.step();
        mark();
    }
    try (var none = new NoGrad()) {
        scores.add(Functional.mseLoss(model.call(data.index(valid)), labels.index(valid)));
    }
    mark();
}
double best = scores.size();
mark();
'''), ('averages of weights, kept in a dict', '''
class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.backup = {}
    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n] = self.decay * self.shadow[n] + (1 - self.decay) * p.detach()
    def apply(self, model):
        for n, p in model.named_parameters():
            self.backup[n] = p.detach().clone()
            p.data.copy_(self.shadow[n])
    def restore(self, model):
        for n, p in model.named_parameters():
            p.data.copy_(self.backup[n])
        self.backup = {}
model = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 4))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
ema = EMA(model, 0.9)
mark()
for step in range(3):
    loss = model(torch.randn(8, 16)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(model)
    mark()
    ema.apply(model)
    mark()
    ema.restore(model)
    mark()
ema = None
mark()
''', '''
static class Ema {
    double decay;
    Map<String, Tensor> shadow = new HashMap<>();
    Map<String, Tensor> backup = new HashMap<>();
    Ema(io.vramlab.nn.Module model, double decay) {
        this.decay = decay;
        model.namedParameters().forEach((n, p) -> shadow.put(n, p.detach().clone()));
    }
    void update(io.vramlab.nn.Module model) {
        model.namedParameters().forEach((n, p) ->
            shadow.put(n, shadow.get(n).mul(decay).add(p.detach().mul(1 - decay))));
    }
    void apply(io.vramlab.nn.Module model) {
        for (var each : model.namedParameters().entrySet()) {
            backup.put(each.getKey(), each.getValue().detach().clone());
            each.getValue().detach().copy_(shadow.get(each.getKey()));
        }
    }
    void restore(io.vramlab.nn.Module model) {
        for (var each : model.namedParameters().entrySet()) {
            each.getValue().detach().copy_(backup.get(each.getKey()));
        }
        backup = new HashMap<>();
    }
}
''', '''
var model = new Sequential(new Linear(16, 16), new Tanh(), new Linear(16, 4));
var opt = new SGD(model.parameters(), 0.1);
var ema = new Ema(model, 0.9);
mark();
for (int step = 0; step < 3; step++) {
    var loss = model.call(Tensor.randn(8, 16)).pow(2).mean();
    opt.zeroGrad();
    loss.backward();
    opt.step();
    ema.update(model);
    mark();
    ema.apply(model);
    mark();
    ema.restore(model);
    mark();
}
ema = null;
mark();
'''), ('clipped gradients, a schedule and the best weights so far', '''
model = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=4)
batches = [(torch.randn(8, 16), torch.randn(8, 1)) for _ in range(3)]
best, kept, running = float('inf'), None, 0.0
mark()
for epoch in range(3):
    total = torch.zeros(3)
    for i, (x, y) in enumerate(batches):
        opt.zero_grad()
        loss = F.smooth_l1_loss(model(x), y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total[i] = loss.detach()
        mark()
    sched.step()
    kept = {k: v.clone() for k, v in model.state_dict().items()}
    mark()
k = v = None
model.load_state_dict(kept)
kept = None
mark()
''', '''
record Pair(Tensor x, Tensor y) { }
static Map<String, Tensor> copies(Map<String, Tensor> state) {
    var copies = new HashMap<String, Tensor>();
    state.forEach((k, v) -> copies.put(k, v.clone()));
    return copies;
}
''', '''
var model = new Sequential(new Linear(16, 32), new GELU(), new Linear(32, 1));
var opt = new SGD(model.parameters(), 0.1).momentum(0.9);
var sched = new CosineAnnealingLR(opt, 4);
var batches = IntStream.range(0, 3).mapToObj(i -> new Pair(Tensor.randn(8, 16), Tensor.randn(8, 1))).toList();
Map<String, Tensor> kept = null;
mark();
for (int epoch = 0; epoch < 3; epoch++) {
    var total = Tensor.zeros(3);
    for (int i = 0; i < batches.size(); i++) {
        var x = batches.get(i).x();
        var y = batches.get(i).y();
        opt.zeroGrad();
        var loss = Functional.smoothL1Loss(model.call(x), y);
        loss.backward();
        var norm = GradientClipping.clipGradNorm(model.parameters(), 1.0);
        opt.step();
        total.select(0, i).copy_(loss.detach());
        mark();
    }
    sched.step();
    kept = copies(model.stateDict());
    mark();
}
model.loadStateDict(kept);
kept = null;
mark();
'''), ('sampling by diffusion', '''
class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(10, 16)
        self.a = nn.Linear(16, 64)
        self.b = nn.Linear(64, 16)
    def forward(self, x, t):
        return self.b(F.silu(self.a(x + self.time(t))))
net = Denoiser()
betas = torch.linspace(1e-4, 0.02, 10)
alphas = 1 - betas
bars = torch.cumprod(alphas, dim=0)
mark()
@torch.no_grad()
def sample(n):
    x = torch.randn(n, 16)
    steps = []
    for i in reversed(range(10)):
        t = torch.full((n,), i, dtype=torch.long)
        noise = net(x, t)
        x = (x - betas[i] / (1 - bars[i]).sqrt() * noise) / alphas[i].sqrt()
        if i > 0:
            x = x + betas[i].sqrt() * torch.randn_like(x)
        if i % 3 == 0:
            steps.append(x.clamp(-1, 1))
        mark()
    return x, steps
x, steps = sample(8)
mark()
grid = torch.cat(steps)
steps = None
mark()
''', '''
static class Denoiser extends io.vramlab.nn.Module {
    Embedding time = new Embedding(10, 16);
    Linear a = new Linear(16, 64);
    Linear b = new Linear(64, 16);
    Tensor call(Tensor x, Tensor t) { return b.call(Functional.silu(a.call(x.add(time.call(t))))); }
    public Tensor forward(Tensor x) { return x; }
}
record Sampled(Tensor x, List<Tensor> steps) { }
static Sampled sample(Denoiser net, Tensor betas, Tensor alphas, Tensor bars, int n) {
    try (var none = new NoGrad()) {
        var x = Tensor.randn(n, 16);
        var steps = new ArrayList<Tensor>();
        for (int i = 9; i >= 0; i--) {
            var t = Tensor.full(TensorOptions.of(DType.INT64), i, n);
            var noise = net.call(x, t);
            x = x.sub(betas.select(0, i).div(bars.select(0, i).rsub(1).sqrt()).mul(noise)).div(alphas.select(0, i).sqrt());
            if (i > 0) {
                x = x.add(betas.select(0, i).sqrt().mul(x.randnLike()));
            }
            if (i % 3 == 0) {
                steps.add(x.clamp(-1, 1));
            }
            mark();
        }
        return new Sampled(x, steps);
    }
}
''', '''
var net = new Denoiser();
var betas = Tensor.linspace(1e-4, 0.02, 10);
var alphas = betas.rsub(1);
var bars = alphas.cumprod(0);
mark();
var both = sample(net, betas, alphas, bars, 8);
var x = both.x();
var steps = both.steps();
both = null;
mark();
var grid = Tensor.cat(steps, 0);
steps = null;
mark();
'''), ('a recursive network over a tree', '''
class Tree:
    def __init__(self, value=None, left=None, right=None):
        self.value, self.left, self.right, self.state = value, left, right, None
class TreeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.leaf = nn.Linear(8, 16)
        self.join = nn.Linear(32, 16)
        self.out = nn.Linear(16, 3)
    def encode(self, node):
        if node.left is None:
            node.state = torch.tanh(self.leaf(node.value))
        else:
            l, r = self.encode(node.left), self.encode(node.right)
            node.state = torch.tanh(self.join(torch.cat([l, r], dim=1)))
        return node.state
    def forward(self, node):
        return self.out(self.encode(node))
def build(depth):
    return Tree(torch.randn(1, 8)) if depth == 0 else Tree(None, build(depth - 1), build(depth - 1))
net = TreeNet()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
trees = [build(2), build(3)]
mark()
for epoch in range(2):
    for tree in trees:
        logits = net(tree)
        loss = -F.log_softmax(logits, dim=1)[0, 1]
        mark()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mark()
def forget(node):
    node.state = None
    if node.left is not None:
        forget(node.left)
        forget(node.right)
for tree in trees:
    forget(tree)
mark()
trees.pop()
tree = None
mark()
''', '''
static class Tree {
    Tensor value, state;
    Tree left, right;
    Tree(Tensor value) { this.value = value; }
    Tree(Tree left, Tree right) { this.left = left; this.right = right; }
}
static class TreeNet extends io.vramlab.nn.Module {
    Linear leaf = new Linear(8, 16);
    Linear join = new Linear(32, 16);
    Linear out = new Linear(16, 3);
    Tensor encode(Tree node) {
        if (node.left == null) {
            node.state = leaf.call(node.value).tanh();
        } else {
            var l = encode(node.left);
            var r = encode(node.right);
            node.state = join.call(Tensor.cat(1, l, r)).tanh();
        }
        return node.state;
    }
    Tensor call(Tree node) { return out.call(encode(node)); }
    public Tensor forward(Tensor x) { return x; }
}
static Tree build(int depth) {
    return depth == 0 ? new Tree(Tensor.randn(1, 8)) : new Tree(build(depth - 1), build(depth - 1));
}
static void forget(Tree node) {
    node.state = null;
    if (node.left != null) {
        forget(node.left);
        forget(node.right);
    }
}
''', '''
var net = new TreeNet();
var opt = new SGD(net.parameters(), 0.05).momentum(0.9);
var trees = new ArrayList<Tree>(List.of(build(2), build(3)));
mark();
Tree tree = null;
for (int epoch = 0; epoch < 2; epoch++) {
    for (int i = 0; i < trees.size(); i++) {
        tree = trees.get(i);
        var logits = net.call(tree);
        var loss = logits.logSoftmax(1).select(0, 0).select(0, 1).neg();
        mark();
        opt.zeroGrad();
        loss.backward();
        opt.step();
        mark();
    }
}
for (int i = 0; i < trees.size(); i++) {
    tree = trees.get(i);
    forget(tree);
}
mark();
trees.removeLast();
tree = null;
mark();
''')]


def main():
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
    meter = ctypes.CDLL(None)
    for each in ('count_live', 'count_peak'):
        getattr(meter, each).restype = ctypes.c_long
    torch.set_num_threads(1)
    gc.disable()
    programs = []
    for index, (name, python, declarations, statements) in enumerate(PORTS):
        marks = []
        def mark():
            marks.append((meter.count_live(), meter.count_peak()))
            meter.count_reset()
        gc.collect()
        before = meter.count_live()
        meter.count_reset()
        names = dict(torch=torch, nn=nn, F=F, collections=collections, copy=copy, mark=mark)
        exec(compile(python, name, 'exec'), names)
        names.clear()
        programs.append(dict(index=index, declarations=declarations, statements=statements, escapes=[],
                             marks=[[live - before, peak - before] for live, peak in marks]))
    with gzip.open(sys.argv[1], 'wt') as f:
        json.dump(dict(python=sys.version.split()[0], torch=torch.__version__, programs=programs), f)


main()
