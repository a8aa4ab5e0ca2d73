"""Ordinary training programs, written as anybody writes them, and PyTorch's allocator at marks within them.

usage: ports.py OUTFILE [NAME...]        (on a CUDA device; with LIFE_DEVICE=cpu they run without figures)

Recorded at each mark: [name, allocated, requested, reserved, the peaks of these three since the mark before, allocations
and segments allocated so far]. The settings are those of the environment (PYTORCH_CUDA_ALLOC_CONF, CUBLAS_WORKSPACE_CONFIG,
DISABLE_ADDMM_CUDA_LT). The same programs in Java: NaivePorts.
"""
import sys, json, gzip, os, gc, math, traceback, random
from collections import deque
import torch, torch.nn as nn, torch.nn.functional as F

dev = os.environ.get('LIFE_DEVICE', 'cuda')
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cuda.enable_flash_sdp(False)
MARKS = []


def mark(name):
    if dev == 'cpu':
        MARKS.append([name])
        return
    s = torch.cuda.memory_stats()
    MARKS.append([name] + [s[f'{k}_bytes.all.{w}'] for w in ('current', 'peak') for k in ('allocated', 'requested', 'reserved')]
                 + [s['allocation.all.allocated'], s['segment.all.allocated']])
    torch.cuda.reset_peak_memory_stats()


# ---- gpt ----

class Attention(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.register_buffer('mask', torch.ones(length, length, dtype=torch.bool).triu(1))

    def forward(self, x):
        b, n, c = x.size(0), x.size(1), x.size(2)
        q, k, v = torch.chunk(self.qkv(x), 3, -1)
        q = q.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, n, self.heads, c // self.heads).transpose(1, 2)
        att = q.matmul(k.transpose(-2, -1)).mul(1 / math.sqrt(c // self.heads))
        att = att.masked_fill(self.mask[0:n, 0:n], float('-inf'))
        att = F.softmax(att, -1)
        y = att.matmul(v).transpose(1, 2).reshape(b, n, c)
        return self.proj(y)


class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.ln1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads, length)
        self.ln2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        h = F.gelu(self.up(self.ln2(x)))
        x = x + self.down(h)
        return x


class Gpt(nn.Module):
    def __init__(self, vocabulary, width, heads, layers, length):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList([Block(width, heads, length) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight
        self.at = None

    def forward(self, index):
        n = index.size(1)
        if self.at is None:
            self.at = torch.arange(n, device=index.device)
        x = self.tokens(index) + self.positions(self.at)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def gpt():
    model = Gpt(5000, 256, 8, 4, 128).to(dev)
    mark('model')
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step in range(3):
        index = torch.randint(0, 5000, (8, 128), device=dev)
        target = torch.randint(0, 5000, (8, 128), device=dev)
        mark('batch')
        logits = model(index)
        mark('forward')
        loss = F.cross_entropy(logits.view(-1, 5000), target.view(-1))
        mark('loss')
        optimizer.zero_grad()
        loss.backward()
        mark('backward')
        optimizer.step()
        mark('step')
    model.eval()
    with torch.no_grad():
        context = torch.randint(0, 5000, (1, 128), device=dev)
        for i in range(4):
            logits = model(context)
            last = logits[:, 127, :]
            chosen = last.argmax(-1)
            context = torch.cat([context[:, 1:128], chosen.view(1, 1)], 1)
            mark('token')
    mark('generated')


# ---- vae ----

class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(784, 400)
        self.mu = nn.Linear(400, 20)
        self.logvar = nn.Linear(400, 20)
        self.dec1 = nn.Linear(20, 400)
        self.dec2 = nn.Linear(400, 784)

    def encode(self, x):
        h = F.relu(self.enc(x))
        return self.mu(h), self.logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(logvar * 0.5)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        return self.dec2(F.relu(self.dec1(z)))

    def losses(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        y = self.decode(z)
        bce = F.binary_cross_entropy_with_logits(y, x, reduction='sum')
        kld = (logvar + 1 - mu.pow(2) - logvar.exp()).sum() * -0.5
        return bce, kld


def vae():
    model = Vae().to(dev)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    mark('model')
    total = 0.0
    for step in range(4):
        x = torch.rand(256, 784, device=dev)
        optimizer.zero_grad()
        bce, kld = model.losses(x)
        loss = bce + kld
        mark('loss')
        loss.backward()
        mark('backward')
        total += loss.item()
        optimizer.step()
        mark('step')
    with torch.no_grad():
        sample = torch.sigmoid(model.decode(torch.randn(64, 20, device=dev)))
    mark('sample')


# ---- resnet ----

class Basic(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.down = None
        if stride != 1 or cin != cout:
            self.down = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, 0, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        identity = x
        out = self.bn1(self.conv1(x))
        out = F.relu(out)
        out = self.bn2(self.conv2(out))
        if self.down is not None:
            identity = self.down(x)
        out = out + identity
        return F.relu(out)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 3, 1, 1, bias=False)
        self.bn = nn.BatchNorm2d(32)
        self.layer1 = Basic(32, 32, 1)
        self.layer2 = Basic(32, 64, 2)
        self.layer3 = Basic(64, 128, 2)
        self.pool = nn.AvgPool2d(8)
        self.fc = nn.Linear(128, 10)

    def forward(self, x):
        x = F.relu(self.bn(self.stem(x)))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.pool(x)
        return self.fc(x.flatten(1, 3))


def resnet():
    model = ResNet().to(dev)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    mark('model')
    for step in range(3):
        x = torch.randn(32, 3, 32, 32, device=dev)
        y = torch.randint(0, 10, (32,), device=dev)
        out = model(x)
        mark('forward')
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        mark('backward')
        optimizer.step()
        mark('step')
    model.eval()
    right = 0.0
    with torch.no_grad():
        for i in range(2):
            x = torch.randn(32, 3, 32, 32, device=dev)
            y = torch.randint(0, 10, (32,), device=dev)
            right += model(x).argmax(1).eq(y).sum().item()
            mark('eval')


# ---- vit ----

class VitBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.heads = heads
        self.seen = None

    def attend(self, x):
        b, n, c = x.size(0), x.size(1), x.size(2)
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        att = q.matmul(k.transpose(-2, -1)) * (1 / math.sqrt(c // self.heads))
        att = F.softmax(att, -1)
        self.seen = att.detach()
        return self.proj(att.matmul(v).transpose(1, 2).reshape(b, n, c))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Vit(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Linear(48, 128)
        self.cls = nn.Parameter(torch.zeros(1, 1, 128))
        self.pos = nn.Parameter(torch.zeros(1, 65, 128))
        self.blocks = nn.ModuleList([VitBlock(128, 4) for _ in range(3)])
        self.norm = nn.LayerNorm(128)
        self.head = nn.Linear(128, 10)

    def forward(self, images):
        b = images.size(0)
        patches = images.view(b, 3, 8, 4, 8, 4).permute(0, 2, 4, 1, 3, 5).reshape(b, 64, 48)
        x = self.patch(patches)
        x = torch.cat([self.cls.expand(b, 1, 128), x], 1)
        x = x + self.pos
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


def vit():
    model = Vit().to(dev)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    mark('model')
    maps = []
    for step in range(3):
        images = torch.randn(16, 3, 32, 32, device=dev)
        labels = torch.randint(0, 10, (16,), device=dev)
        loss = F.cross_entropy(model(images), labels)
        mark('loss')
        optimizer.zero_grad()
        loss.backward()
        mark('backward')
        optimizer.step()
        mark('step')
        maps.append(model.blocks[2].seen.mean())
    mark('maps')
    maps.clear()
    mark('cleared')


# ---- gan ----

def gan():
    g = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 784), nn.Tanh()).to(dev)
    d = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 1)).to(dev)
    og = torch.optim.Adam(g.parameters(), lr=2e-4)
    od = torch.optim.Adam(d.parameters(), lr=2e-4)
    mark('models')
    ones = torch.ones(128, 1, device=dev)
    zeros = torch.zeros(128, 1, device=dev)
    gl, dl = [], []
    for step in range(3):
        real = torch.rand(128, 784, device=dev)
        fake = g(torch.randn(128, 64, device=dev))
        mark('fake')
        od.zero_grad()
        lossd = F.binary_cross_entropy_with_logits(d(real), ones) + F.binary_cross_entropy_with_logits(d(fake.detach()), zeros)
        lossd.backward()
        od.step()
        mark('discriminator')
        og.zero_grad()
        lossg = F.binary_cross_entropy_with_logits(d(fake), ones)
        mark('generator loss')
        lossg.backward()
        og.step()
        mark('generator')
        gl.append(lossg)
        dl.append(lossd.item())
    mark('losses')
    gl.clear()
    mark('cleared')


# ---- reinforcement ----

class Transition:
    def __init__(self, state, action, reward, after):
        self.state = state
        self.action = action
        self.reward = reward
        self.after = after


def q_net():
    return nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 8)).to(dev)


def reinforcement():
    policy = q_net()
    target = q_net()
    target.load_state_dict(policy.state_dict())
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    memory = deque()
    mark('nets')
    state = torch.randn(1, 128, device=dev)
    for step in range(40):
        with torch.no_grad():
            action = policy(state).argmax(1)
        after = state * 0.9 + torch.randn(1, 128, device=dev)
        reward = after.mean()
        memory.append(Transition(state, action, reward, after))
        if len(memory) > 24:
            memory.popleft()
        state = after
        if step >= 16 and step % 4 == 0:
            states, actions, rewards, afters = [], [], [], []
            for t in memory:
                if len(states) < 16:
                    states.append(t.state)
                    actions.append(t.action)
                    rewards.append(t.reward)
                    afters.append(t.after)
            s = torch.cat(states, 0)
            a = torch.cat(actions, 0)
            r = torch.stack(rewards, 0)
            n = torch.cat(afters, 0)
            mark('batch')
            q = policy(s).gather(1, a.view(-1, 1)).squeeze(1)
            with torch.no_grad():
                best = target(n).amax(1)
                wanted = r + best * 0.99
            loss = F.mse_loss(q, wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mark('learned')
        if step % 10 == 9:
            mark('played')
    memory.clear()
    mark('forgotten')


# ---- accumulation ----

class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, 4 * width)
        self.b = nn.Linear(4 * width, width)

    def forward(self, x):
        x = self.a(x)
        x = F.relu(x)
        return self.b(x)


def accumulation():
    model = Mlp(512).to(dev)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    mark('model')
    for step in range(2):
        optimizer.zero_grad()
        for micro in range(4):
            x = torch.randn(256, 512, device=dev)
            y = model(x)
            loss = (y - x).pow(2).mean() / 4
            mark('loss')
            loss.backward()
            mark('backward')
        optimizer.step()
        mark('step')


# ---- evaluation ----

class Meter:
    def __init__(self):
        self.total = None
        self.n = 0

    def add(self, loss):
        if self.total is None:
            self.total = loss
        else:
            self.total = self.total + loss
        self.n += 1

    def mean(self):
        return self.total / self.n


def evaluate(model, batches):
    meter = Meter()
    with torch.no_grad():
        for x in batches:
            y = model(x)
            meter.add(F.mse_loss(y, x))
            mark('evaluated')
    return meter.mean()


def evaluation():
    model = Mlp(256).to(dev)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    train = [torch.randn(128, 256, device=dev) for _ in range(3)]
    valid = [torch.randn(64, 256, device=dev) for _ in range(2)]
    mark('data')
    best = None
    for epoch in range(2):
        running = torch.zeros(1, device=dev)
        kept = 0.0
        for x in train:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), x)
            loss.backward()
            optimizer.step()
            running += loss.detach()
            kept = kept + loss
            mark('trained')
        v = evaluate(model, valid)
        if best is None or v.item() < best.item():
            best = v
        mark('epoch')
    train.clear()
    mark('no data')


PORTS = dict(gpt=gpt, vae=vae, resnet=resnet, vit=vit, gan=gan, reinforcement=reinforcement, accumulation=accumulation,
             evaluation=evaluation)


def main():
    out, names = sys.argv[1], sys.argv[2:] or list(PORTS)
    result = {}
    gc.disable()
    for name in names:
        MARKS.clear()
        torch.manual_seed(0)
        error = None
        if dev != 'cpu':
            gc.collect(); torch._C._cuda_clearCublasWorkspaces(); torch.cuda.synchronize(); torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats(); torch.cuda.reset_accumulated_memory_stats()
            torch.cuda.memory._record_memory_history(enabled='all', context=None, max_entries=10**6, clear_history=True)
        mark('start')
        try:
            PORTS[name]()
        except Exception:
            error = traceback.format_exc()
        mark('left')
        trace = []
        if dev != 'cpu':
            trace = [[e['action'], e['size']] for e in torch.cuda.memory._snapshot()['device_traces'][0]]
            torch.cuda.memory._record_memory_history(enabled=None)
        result[name] = dict(marks=list(MARKS), error=error, trace=trace)
        print(name, len(MARKS), 'marks', len(trace), 'events', MARKS[-1], error, flush=True)
    with gzip.open(out, 'wt') as f:
        json.dump(dict(torch=torch.__version__, device=dev if dev == 'cpu' else torch.cuda.get_device_name(),
                       environment={k: v for k, v in os.environ.items() if k.startswith(('PYTORCH', 'CUBLAS', 'DISABLE_ADDMM'))},
                       ports=result), f)


main()
