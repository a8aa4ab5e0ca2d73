"""Eighteen models that people bring, as they write them, with marks as models.py's: usage: brought.py MODEL OUTFILE [--exact], or brought.py list

Written before anything of it was tried in VramLab. Numbers are made by measured.make; parameters are filled as measured.fill says, before .to(device)."""
import copy, math, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from models import *
from torch.autograd import Function
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.optim import lr_scheduler as S


def numbers(k, *shape): return make('c ' + ' '.join(map(str, shape)), k)
def unit(k, *shape): return make('q ' + ' '.join(map(str, shape)), k)
def whole(k, n, *shape): return make(f'i{n} ' + ' '.join(map(str, shape)), k, False)
def ready(net): net = fill(net).to(dev); mark('model'); return net
def finish(out): mark('evaluation'); v = summary(out); del out; return v


# ---- Perceiver: latents ask positions of a picture; shared layers; bfloat16 under autocast
class Ask(nn.Module):
    def __init__(self, dim, context_dim=None, heads=4, dim_head=16):
        super().__init__()
        inner = heads * dim_head
        context_dim = dim if context_dim is None else context_dim
        self.heads, self.scale = heads, dim_head ** -0.5
        self.norm = nn.LayerNorm(dim)
        self.norm_context = nn.LayerNorm(context_dim)
        self.to_q = nn.Linear(dim, inner, bias=False)
        self.to_kv = nn.Linear(context_dim, inner * 2, bias=False)
        self.to_out = nn.Linear(inner, dim)

    def forward(self, x, context=None, mask=None):
        x = self.norm(x)
        context = x if context is None else self.norm_context(context)
        q = self.to_q(x)
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q = q.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = k.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = v.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        sim = torch.einsum('bhid,bhjd->bhij', q, k) * self.scale
        if mask is not None:
            sim.masked_fill_(~mask[:, None, None, :], -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        out = torch.einsum('bhij,bhjd->bhid', attn, v)
        return self.to_out(out.transpose(1, 2).flatten(2))


class GEGLU(nn.Module):
    def forward(self, x):
        x, gates = x.chunk(2, dim=-1)
        return x * F.gelu(gates)


def fourier_encode(x, max_freq, bands):
    x = x.unsqueeze(-1)
    scales = torch.linspace(1., max_freq / 2, bands, device=x.device, dtype=x.dtype)
    y = x * scales * math.pi
    return torch.cat([y.sin(), y.cos(), x], dim=-1)


class Perceiver(nn.Module):
    def __init__(self, depth=3, latents=32, dim=64, bands=4, classes=10):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(latents, dim))
        self.depth, self.bands = depth, bands
        self.cross = nn.ModuleDict({'attn': Ask(dim, 3 + 2 * (2 * bands + 1), heads=1, dim_head=64),
                                    'ff': nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim * 8), GEGLU(), nn.Linear(dim * 4, dim))})
        self.inner = nn.ModuleDict({'attn': Ask(dim), 'ff': nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim * 8), GEGLU(), nn.Linear(dim * 4, dim))})
        self.to_logits = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, classes))

    def forward(self, data, mask=None):
        b, h, w, _ = data.shape
        axis = [torch.linspace(-1., 1., steps=size, device=data.device) for size in (h, w)]
        pos = torch.stack(torch.meshgrid(*axis, indexing='ij'), dim=-1)
        enc = fourier_encode(pos, 10., self.bands).flatten(2)
        enc = enc.unsqueeze(0).expand(b, -1, -1, -1)
        data = torch.cat((data, enc), dim=-1).flatten(1, 2)
        x = self.latents.unsqueeze(0).repeat(b, 1, 1)
        for _ in range(self.depth):
            x = self.cross['attn'](x, data, mask) + x
            x = self.cross['ff'](x) + x
            x = self.inner['attn'](x) + x
            x = self.inner['ff'](x) + x
        return self.to_logits(x.mean(dim=-2))


def perceiver():
    net = ready(Perceiver())
    opt = O.AdamW(net.parameters(), lr=1e-3, weight_decay=0.05)
    sched = S.CosineAnnealingWarmRestarts(opt, T_0=2)
    mark('optimizer')
    for step in range(3):
        images, labels = unit(step + 1, 8, 16, 16, 3), whole(step + 2, 10, 8)
        mask = torch.ones(8, 256, dtype=torch.bool, device=dev)
        mask[:, 200:] = False
        mark(f'{step} inputs')
        with torch.autocast(dev, dtype=torch.bfloat16):
            logits = net(images, mask)
            loss = F.cross_entropy(logits, labels, label_smoothing=0.1)
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step()
        sched.step()
        mark(f'{step} step')
        losses.append(loss.item())
        mark(f'{step} item')
    net.eval()
    with torch.inference_mode(), torch.autocast(dev, dtype=torch.bfloat16):
        logits = net(images)
        hits = (logits.argmax(dim=-1) == labels).float().mean()
    mark('accuracy')
    losses.append(hits.item())
    return finish(logits)


# ---- Decision Transformer: returns, states and actions interleaved; loss of what is not padding
class CausalBlock(nn.Module):
    def __init__(self, d, heads, drop):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Linear(4 * d, d), nn.Dropout(drop))

    def forward(self, x, bias):
        B, T, C = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1)) + bias
        y = torch.softmax(att, dim=-1) @ v
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class DecisionTransformer(nn.Module):
    def __init__(self, state_dim=11, act_dim=3, d=96, K=20, episode=1000, layers=2, heads=4):
        super().__init__()
        self.d, self.act_dim = d, act_dim
        self.embed_timestep = nn.Embedding(episode, d)
        self.embed_return = nn.Linear(1, d)
        self.embed_state = nn.Linear(state_dim, d)
        self.embed_action = nn.Linear(act_dim, d)
        self.embed_ln = nn.LayerNorm(d)
        self.blocks = nn.ModuleList(CausalBlock(d, heads, 0.) for _ in range(layers))
        self.predict_action = nn.Sequential(nn.Linear(d, act_dim), nn.Tanh())
        self.register_buffer('causal', torch.tril(torch.ones(3 * K, 3 * K, dtype=torch.bool)))

    def forward(self, states, actions, returns, timesteps, mask):
        B, T = states.shape[:2]
        time = self.embed_timestep(timesteps)
        s = self.embed_state(states) + time
        a = self.embed_action(actions) + time
        r = self.embed_return(returns) + time
        x = torch.stack((r, s, a), dim=1).permute(0, 2, 1, 3).reshape(B, 3 * T, self.d)
        x = self.embed_ln(x)
        keys = torch.stack((mask, mask, mask), dim=1).permute(0, 2, 1).reshape(B, 3 * T)
        seen = self.causal[None, None, :3 * T, :3 * T] & (keys[:, None, None, :] > 0)
        bias = torch.zeros_like(seen, dtype=x.dtype).masked_fill_(~seen, -1e9)
        for block in self.blocks:
            x = block(x, bias)
        x = x.reshape(B, T, 3, self.d).permute(0, 2, 1, 3)
        return self.predict_action(x[:, 1])

    def act(self, states, actions, returns, timesteps, K=20):
        states = states.reshape(1, -1, states.size(-1))[:, -K:]
        actions = actions.reshape(1, -1, self.act_dim)[:, -K:]
        returns = returns.reshape(1, -1, 1)[:, -K:]
        timesteps = timesteps.reshape(1, -1)[:, -K:]
        n = states.size(1)
        mask = torch.cat([torch.zeros(K - n), torch.ones(n)]).to(device=states.device, dtype=torch.long).reshape(1, -1)
        states = torch.cat([torch.zeros((1, K - n, states.size(2)), device=states.device), states], dim=1)
        actions = torch.cat([torch.zeros((1, K - n, self.act_dim), device=states.device), actions], dim=1)
        returns = torch.cat([torch.zeros((1, K - n, 1), device=states.device), returns], dim=1)
        timesteps = torch.cat([torch.zeros((1, K - n), device=states.device), timesteps], dim=1).to(torch.long)
        return self(states, actions, returns, timesteps, mask)[0, -1]


def decision_transformer():
    net = ready(DecisionTransformer())
    opt = O.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    sched = S.LambdaLR(opt, lambda n: min((n + 1) / 2, 1))
    mark('optimizer')
    for step in range(3):
        states, actions, rewards = numbers(step + 1, 16, 20, 11), numbers(step + 2, 16, 20, 3), unit(step + 3, 16, 20)
        start = whole(step, 900, 16)
        timesteps = start[:, None] + torch.arange(20, device=dev)
        mask = (torch.arange(20, device=dev)[None, :] >= whole(step, 6, 16)[:, None]).long()
        returns = rewards.flip(1).cumsum(1).flip(1).unsqueeze(-1)
        mark(f'{step} inputs')
        target = torch.clone(actions)
        preds = net(states, actions, returns, timesteps, mask)
        preds = preds.reshape(-1, 3)[mask.reshape(-1) > 0]
        target = target.reshape(-1, 3)[mask.reshape(-1) > 0]
        loss = torch.mean((preds - target) ** 2)
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        torch.nn.utils.clip_grad_norm_(net.parameters(), .25)
        opt.step()
        sched.step()
        mark(f'{step} step')
        losses.append(loss.detach().cpu().item())
        mark(f'{step} item')
    net.eval()
    state, action = numbers(50, 1, 11), torch.zeros((0, 3), device=dev)
    reward, when = torch.tensor([[3.]], device=dev), torch.tensor([[0]], device=dev)
    states = state
    with torch.no_grad():
        for t in range(4):
            action = torch.cat([action, torch.zeros((1, 3), device=dev)], dim=0)
            now = net.act(states, action, reward, when)
            action[-1] = now
            states = torch.cat([states, states[-1:] + .1], dim=0)
            reward = torch.cat([reward, reward[:, -1:] - .5], dim=1)
            when = torch.cat([when, torch.ones((1, 1), device=dev, dtype=torch.long) * (t + 1)], dim=1)
            mark(f'acted {t}')
    return finish(action)


# ---- GRU4Rec: sessions in parallel, states that are reset, the batch's other targets as negatives
class GRU4Rec(nn.Module):
    def __init__(self, items=1000, hidden=64):
        super().__init__()
        self.items = nn.Embedding(items, hidden)
        self.bias = nn.Embedding(items, 1)
        self.gru = nn.GRU(hidden, hidden)

    def forward(self, x, hidden):
        o, hidden = self.gru(self.items(x).unsqueeze(0), hidden)
        return o.squeeze(0), hidden

    def scores(self, o, targets=None):
        if targets is None:
            return o @ self.items.weight.t() + self.bias.weight.t()
        return torch.mm(o, self.items(targets).T) + self.bias(targets).T


def bpr_max(logits, reg=1.):
    off = 1. - torch.eye(logits.size(0), logits.size(1), device=logits.device)
    x = logits * off
    e = torch.exp(x - x.max(dim=1, keepdim=True)[0]) * off
    p = e / e.sum(dim=1, keepdim=True)
    diag = torch.diag(logits).unsqueeze(1)
    return torch.mean(-torch.log(torch.sum(p * torch.sigmoid(diag - logits), dim=1) + 1e-24) + reg * torch.sum(p * logits ** 2, dim=1))


def gru4rec():
    net = ready(GRU4Rec())
    opt = O.Adagrad(net.parameters(), lr=.05)
    mark('optimizer')
    hidden = torch.zeros(1, 32, 64, device=dev)
    for step in range(4):
        x, y = whole(step + 1, 1000, 32), torch.cat([whole(step + 2, 1000, 32), whole(step + 9, 997, 16)])
        finished = whole(step, 4, 32) == 0
        mark(f'{step} inputs')
        hidden = hidden.detach()
        hidden[:, finished, :] = 0
        o, hidden = net(x, hidden)
        loss = bpr_max(net.scores(o, y))
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        o, _ = net(x, hidden)
        scores = net.scores(o)
        mine = scores.gather(1, y[:32, None])
        ranks = (scores > mine).sum(dim=1) + 1
        recall = (ranks <= 20).float().mean()
        mrr = torch.where(ranks <= 20, 1. / ranks, torch.zeros_like(ranks, dtype=torch.float)).mean()
    mark('ranks')
    losses.append([recall.item(), mrr.item()])
    return finish(scores)


# ---- TabNet: ghost batches, sparsemax as a function of its own, masks of features
class Sparsemax(Function):
    @staticmethod
    def forward(ctx, input, dim=-1):
        ctx.dim = dim
        most, _ = input.max(dim=dim, keepdim=True)
        input = input - most
        tau, support_size = Sparsemax.threshold(input, dim)
        output = torch.clamp(input - tau, min=0)
        ctx.save_for_backward(support_size, output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        support_size, output = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[output == 0] = 0
        v = grad_input.sum(dim=ctx.dim) / support_size.to(output.dtype).squeeze(ctx.dim)
        v = v.unsqueeze(ctx.dim)
        return torch.where(output != 0, grad_input - v, grad_input), None

    @staticmethod
    def threshold(input, dim):
        ordered, _ = torch.sort(input, descending=True, dim=dim)
        total = ordered.cumsum(dim) - 1
        rhos = torch.arange(1, input.size(dim) + 1, device=input.device, dtype=input.dtype).view(1, -1)
        support_size = (rhos * ordered > total).sum(dim=dim).unsqueeze(dim)
        tau = total.gather(dim, support_size - 1)
        tau /= support_size.to(input.dtype)
        return tau, support_size


class GhostNorm(nn.Module):
    def __init__(self, d, virtual=64):
        super().__init__()
        self.virtual, self.bn = virtual, nn.BatchNorm1d(d, momentum=.02)

    def forward(self, x):
        return torch.cat([self.bn(part) for part in x.chunk(int(math.ceil(x.shape[0] / self.virtual)), 0)], dim=0)


class GLULayer(nn.Module):
    def __init__(self, i, o, fc=None):
        super().__init__()
        self.o, self.fc, self.bn = o, fc if fc is not None else nn.Linear(i, 2 * o, bias=False), GhostNorm(2 * o)

    def forward(self, x):
        x = self.bn(self.fc(x))
        return torch.mul(x[:, :self.o], torch.sigmoid(x[:, self.o:]))


class FeatTransformer(nn.Module):
    def __init__(self, i, o, shared):
        super().__init__()
        self.shared = nn.ModuleList([GLULayer(i if k == 0 else o, o, fc) for k, fc in enumerate(shared)])
        self.specific = nn.ModuleList([GLULayer(o, o) for _ in range(2)])
        self.register_buffer('scale', torch.sqrt(torch.FloatTensor([.5])))

    def forward(self, x):
        x = self.shared[0](x)
        for layer in list(self.shared[1:]) + list(self.specific):
            x = torch.add(x, layer(x))
            x = x * self.scale
        return x


class TabNet(nn.Module):
    def __init__(self, i=24, o=4, n_d=8, n_a=8, steps=3, gamma=1.3):
        super().__init__()
        self.n_d, self.gamma, self.eps = n_d, gamma, 1e-15
        shared = nn.ModuleList([nn.Linear(i, 2 * (n_d + n_a), bias=False), nn.Linear(n_d + n_a, 2 * (n_d + n_a), bias=False)])
        self.initial_bn = nn.BatchNorm1d(i, momentum=.01)
        self.splitter = FeatTransformer(i, n_d + n_a, shared)
        self.transformers = nn.ModuleList([FeatTransformer(i, n_d + n_a, shared) for _ in range(steps)])
        self.attentions = nn.ModuleList([nn.Sequential(nn.Linear(n_a, i, bias=False), GhostNorm(i)) for _ in range(steps)])
        self.final = nn.Linear(n_d, o, bias=False)

    def forward(self, x):
        x = self.initial_bn(x)
        prior = torch.ones(x.shape, device=x.device)
        sparse_loss, outs = 0, []
        att = self.splitter(x)[:, self.n_d:]
        for transform, attend in zip(self.transformers, self.attentions):
            M = Sparsemax.apply(torch.mul(attend(att), prior), -1)
            sparse_loss += torch.mean(torch.sum(torch.mul(M, torch.log(M + self.eps)), dim=1))
            prior = torch.mul(self.gamma - M, prior)
            out = transform(torch.mul(M, x))
            outs.append(F.relu(out[:, :self.n_d]))
            att = out[:, self.n_d:]
        res = torch.sum(torch.stack(outs, dim=0), dim=0)
        return self.final(res), sparse_loss / len(outs)


def tabnet():
    net = ready(TabNet())
    opt = O.Adam(net.parameters(), lr=2e-2)
    sched = S.StepLR(opt, step_size=2, gamma=.9)
    mark('optimizer')
    for step in range(3):
        x, y = numbers(step + 1, 256, 24), whole(step, 4, 256)
        mark(f'{step} inputs')
        for p in net.parameters():
            p.grad = None
        out, m_loss = net(x)
        loss = F.cross_entropy(out, y)
        loss = loss - 1e-3 * m_loss
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        nn.utils.clip_grad_norm_(net.parameters(), 1.)
        opt.step()
        sched.step()
        mark(f'{step} step')
        losses.append(loss.cpu().detach().numpy().item())
        mark(f'{step} item')
    net.eval()
    with torch.no_grad():
        probs = F.softmax(net(x)[0], dim=1)
        top = torch.bincount(probs.argmax(1), minlength=4)
    mark('counted')
    losses.append(top.tolist())
    return finish(probs)


# ---- Set Transformer and Deep Sets: sets of several sizes behind masks
class MAB(nn.Module):
    def __init__(self, dq, dk, dv, heads=4):
        super().__init__()
        self.dv, self.heads = dv, heads
        self.fc_q, self.fc_k, self.fc_v, self.fc_o = nn.Linear(dq, dv), nn.Linear(dk, dv), nn.Linear(dk, dv), nn.Linear(dv, dv)
        self.ln0, self.ln1 = nn.LayerNorm(dv), nn.LayerNorm(dv)

    def forward(self, Q, K, mask=None):
        Q = self.fc_q(Q)
        K, V = self.fc_k(K), self.fc_v(K)
        split = self.dv // self.heads
        Q_ = torch.cat(Q.split(split, 2), 0)
        K_ = torch.cat(K.split(split, 2), 0)
        V_ = torch.cat(V.split(split, 2), 0)
        A = Q_.bmm(K_.transpose(1, 2)) / math.sqrt(self.dv)
        if mask is not None:
            A = A.masked_fill(mask.repeat(self.heads, 1).unsqueeze(1), float('-inf'))
        A = torch.softmax(A, 2)
        O_ = torch.cat((Q_ + A.bmm(V_)).split(Q.size(0), 0), 2)
        O_ = self.ln0(O_)
        O_ = O_ + F.relu(self.fc_o(O_))
        return self.ln1(O_)


class Sets(nn.Module):
    def __init__(self, i=3, d=32, m=16, o=5):
        super().__init__()
        self.I = nn.Parameter(torch.Tensor(1, m, d))
        self.S = nn.Parameter(torch.Tensor(1, 1, d))
        nn.init.xavier_uniform_(self.I)
        nn.init.xavier_uniform_(self.S)
        self.mab0, self.mab1 = MAB(d, i, d), MAB(i, d, d)
        self.pma = MAB(d, d, d)
        self.phi = nn.Sequential(nn.Linear(i, d), nn.ELU(inplace=True), nn.Linear(d, d))
        self.out = nn.Linear(3 * d, o)

    def forward(self, x, lengths):
        mask = torch.arange(x.size(1), device=x.device)[None, :] >= lengths[:, None]
        h = self.mab0(self.I.repeat(x.size(0), 1, 1), x, mask)
        h = self.mab1(x, h)
        pooled = self.pma(self.S.repeat(h.size(0), 1, 1), h, mask).squeeze(1)
        deep = self.phi(x)
        deep = deep * (~mask).unsqueeze(-1).to(deep.dtype)
        mean = deep.sum(1) / lengths.unsqueeze(-1).clamp(min=1)
        biggest = deep.masked_fill(mask.unsqueeze(-1), -1e4).amax(dim=1)
        return self.out(torch.cat([pooled, mean, biggest], dim=-1))


def sets():
    net = ready(Sets())
    opt = O.RAdam(net.parameters(), lr=1e-3)
    mark('optimizer')
    for step in range(3):
        x, lengths, y = numbers(step + 1, 24, 40, 3), whole(step, 30, 24) + 10, (numbers(step + 5, 24, 5) > 0).float()
        mark(f'{step} inputs')
        logits = net(x, lengths)
        loss = F.binary_cross_entropy_with_logits(logits, y, pos_weight=torch.tensor([1., 2., 1., 2., 1.], device=dev))
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        opt.zero_grad(set_to_none=False)
        mark(f'{step} step')
        losses.append(loss.item())
    del loss
    net.eval()
    with torch.no_grad():
        probs = torch.sigmoid(net(x, lengths))
        chosen = (probs > .5).int()
        tp = (chosen * y).sum(0); fp = (chosen * (1 - y)).sum(0); fn = ((1 - chosen) * y).sum(0)
        f1 = 2 * tp / (2 * tp + fp + fn).clamp_min(1)
    mark('scored')
    losses.append(f1.tolist())
    return finish(probs)


# ---- Metric learning: the hardest triplets of a batch, hooks, recall
def hardest(e, labels, margin=.2):
    dist = torch.cdist(e, e)
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    eye = torch.eye(e.size(0), dtype=torch.bool, device=e.device)
    positive = (dist * (same & ~eye).float()).max(1, keepdim=True)[0]
    farthest = dist.max(1, keepdim=True)[0]
    negative = (dist + farthest * same.float()).min(1, keepdim=True)[0]
    t = F.relu(positive - negative + margin)
    return t.sum() / ((t > 1e-16).sum() + 1e-8), dist


def triplet():
    net = ready(nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.BatchNorm1d(256), nn.PReLU(), nn.Linear(256, 64)))
    seen = {}
    handle = net[3].register_forward_hook(lambda module, args, output: seen.__setitem__('features', output.detach()))
    proxies = nn.Parameter(numbers(70, 8, 64))
    opt = O.SGD([{'params': net.parameters()}, {'params': [proxies], 'lr': 1.}], lr=.1, momentum=.9, nesterov=True)
    sched = S.MultiStepLR(opt, milestones=[1, 2], gamma=.5)
    mark('optimizer')
    for step in range(3):
        x, y = unit(step + 1, 64, 1, 28, 28), whole(step, 8, 64)
        mark(f'{step} inputs')
        e = F.normalize(net(x), p=2, dim=1)
        e.register_hook(lambda g: g * .5)
        loss, dist = hardest(e, y)
        opt.zero_grad()
        mark(f'{step} triplets')
        loss.backward(retain_graph=True)
        mark(f'{step} backward')
        sim = F.linear(e, F.normalize(proxies))
        margin = torch.zeros_like(sim).scatter_(1, y.view(-1, 1), .1)
        proxy = F.cross_entropy(16 * (sim - margin), y)
        mark(f'{step} proxies')
        proxy.backward()
        mark(f'{step} backward again')
        opt.step()
        sched.step()
        mark(f'{step} step')
        losses.append([loss.item(), proxy.item(), seen['features'].norm().item()])
    handle.remove()
    del loss, dist, sim, margin, proxy, e
    mark('deleted')
    net.eval()
    with torch.no_grad():
        e = F.normalize(net(x))
        dist = torch.cdist(e, e)
        dist.fill_diagonal_(float('inf'))
        near = dist.topk(4, largest=False).indices
        recall = (y[near] == y[:, None]).any(dim=1).float().mean()
        third, _ = dist.kthvalue(3, dim=1)
        found, counts = torch.unique(y[near[:, 0]], return_counts=True)
    mark('recall')
    losses.append([recall.item(), third.mean().item(), found.numel(), counts.sum().item()])
    return finish(e)


# ---- A knowledge graph: rotations, negatives weighted by themselves, sparse gradients
class RotatE(nn.Module):
    def __init__(self, entities=500, relations=12, d=32, gamma=6.):
        super().__init__()
        self.gamma, self.range = gamma, (gamma + 2.) / d
        self.entity = nn.Embedding(entities, 2 * d, sparse=True)
        self.relation = nn.Embedding(relations, d, sparse=True)

    def forward(self, h, r, t):
        re_h, im_h = torch.chunk(self.entity(h), 2, dim=-1)
        re_t, im_t = torch.chunk(self.entity(t), 2, dim=-1)
        phase = self.relation(r) / (self.range / math.pi)
        re_r, im_r = torch.cos(phase), torch.sin(phase)
        re = re_h * re_r - im_h * im_r - re_t
        im = re_h * im_r + im_h * re_r - im_t
        return self.gamma - torch.stack([re, im], dim=0).norm(dim=0).sum(dim=-1)


def rotate():
    net = ready(RotatE())
    opt = O.SparseAdam(list(net.parameters()), lr=1e-3)
    mark('optimizer')
    for step in range(3):
        h, r, t = whole(step, 500, 64, 1), whole(step, 12, 64, 1), whole(step + 3, 499, 64, 1)
        wrong = whole(step + 11, 497, 64, 8)
        mark(f'{step} inputs')
        positive = F.logsigmoid(net(h, r, t)).squeeze(1)
        negative = net(h, r, wrong)
        negative = (F.softmax(negative, dim=1).detach() * F.logsigmoid(-negative)).sum(dim=1)
        loss = (-positive.mean() - negative.mean()) / 2
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    with torch.no_grad():
        every = torch.arange(500, device=dev)[None, :]
        scores = net(h[:8], r[:8], every)
        order = torch.argsort(scores, dim=1, descending=True)
        rank = (order == t[:8]).nonzero()[:, 1] + 1
        mrr = (1. / rank.float()).mean()
    mark('ranks')
    losses.append(mrr.item())
    return finish(scores)


# ---- A classifier of texts: bags with sparse gradients, SGD
def fasttext():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.EmbeddingBag(2000, 32, mode='mean', sparse=True)
            self.fc = nn.Linear(32, 4)

        def forward(self, text, offsets): return self.fc(self.embedding(text, offsets))

    net = ready(Model())
    opt = O.SGD(net.parameters(), lr=1.)
    sched = S.ExponentialLR(opt, .9)
    mark('optimizer')
    for step in range(3):
        text, labels = whole(step, 2000, 300), whole(step, 4, 16)
        offsets = torch.cat([torch.zeros(1, dtype=torch.long, device=dev), (whole(step, 10, 15) + 10).cumsum(0)])
        mark(f'{step} inputs')
        opt.zero_grad()
        output = net(text, offsets)
        loss = F.cross_entropy(output, labels)
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        sched.step()
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        out = net(text, offsets)
    return finish(out)


# ---- Neural collaborative filtering: two towers of embeddings, groups of parameters, hits at ten
class NeuMF(nn.Module):
    def __init__(self, users=600, items=900, d=16, layers=(64, 32, 16)):
        super().__init__()
        self.embeddings = nn.ModuleDict({'user_gmf': nn.Embedding(users, d), 'item_gmf': nn.Embedding(items, d),
                                         'user_mlp': nn.Embedding(users, layers[0] // 2), 'item_mlp': nn.Embedding(items, layers[0] // 2)})
        mlp = []
        for a, b in zip(layers[:-1], layers[1:]):
            mlp += [nn.Dropout(0.), nn.Linear(a, b), nn.ReLU()]
        self.mlp = nn.Sequential(*mlp)
        self.predict = nn.Linear(d + layers[-1], 1)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.kaiming_uniform_(m.weight, a=1, nonlinearity='sigmoid')
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Embedding):
                nn.init.normal_(m.weight, std=.01)

    def forward(self, user, item):
        e = self.embeddings
        gmf = e['user_gmf'](user) * e['item_gmf'](item)
        mlp = self.mlp(torch.cat((e['user_mlp'](user), e['item_mlp'](item)), -1))
        return self.predict(torch.cat((gmf, mlp), -1)).view(-1)


def ncf():
    net = ready(NeuMF())
    decay, plain = [], []
    for name, p in net.named_parameters():
        (plain if name.endswith('bias') or 'embeddings' in name else decay).append(p)
    opt = O.Adam([{'params': decay, 'weight_decay': 1e-4}, {'params': plain, 'lr': 3e-3}], lr=1e-3, amsgrad=True)
    crit = nn.BCEWithLogitsLoss(reduction='none')
    mark('optimizer')
    popularity = torch.bincount(whole(3, 890, 4000), minlength=900).float().pow_(.75)
    popularity /= popularity.sum()
    mark('popularity')
    for step in range(3):
        user, item = whole(step, 600, 64), whole(step + 1, 900, 64)
        other = torch.multinomial(popularity, 64 * 4, replacement=True)
        users = torch.cat([user, user.repeat_interleave(4)])
        items = torch.cat([item, other])
        y = torch.zeros(320, device=dev)
        y[:64] = 1.
        mark(f'{step} inputs')
        each = crit(net(users, items), y)
        weights = torch.where(y == 1, 1., .25)
        loss = (each * weights).sum() / weights.sum()
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        u = torch.arange(20, device=dev)
        scores = net(u.repeat_interleave(100), torch.arange(100, device=dev).repeat(20)).view(20, 100)
        scores[torch.arange(20, device=dev), u % 7] -= 1.
        _, top = torch.topk(scores, 10)
        hit = (top == (u * 3 % 100)[:, None])
        gain = (hit / torch.log2(torch.arange(2, 12, device=dev).float())).sum(1)
    mark('hits')
    losses.append([hit.any(1).float().mean().item(), gain.mean().item()])
    return finish(scores)


# ---- LoRA by hand: a frozen GPT in float16 under autocast, scaled and accumulated gradients
class LoRALinear(nn.Module):
    def __init__(self, base, r=4, alpha=8):
        super().__init__()
        self.base = base
        self.scaling = alpha / r
        self.A = nn.Parameter(torch.randn(r, base.in_features) * .01)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))

    def forward(self, x):
        return self.base(x) + (x @ self.A.t() @ self.B.t()) * self.scaling

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.scaling * self.B @ self.A
        return self.base


class TinyGPT(nn.Module):
    def __init__(self, V=500, d=128, heads=4, layers=2, T=64):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, d), nn.Embedding(T, d)
        self.blocks = nn.ModuleList([nn.ModuleDict(dict(ln1=nn.LayerNorm(d), q=nn.Linear(d, d), k=nn.Linear(d, d), v=nn.Linear(d, d), o=nn.Linear(d, d),
                                                        ln2=nn.LayerNorm(d), up=nn.Linear(d, 4 * d), down=nn.Linear(4 * d, d))) for _ in range(layers)])
        self.ln = nn.LayerNorm(d)
        self.head = nn.Linear(d, V, bias=False)
        self.head.weight = self.tok.weight
        self.heads = heads

    def forward(self, ids, cache=None, start=0):
        B, T = ids.shape
        x = self.tok(ids) + self.pos(torch.arange(start, start + T, device=ids.device))
        for n, b in enumerate(self.blocks):
            y = b['ln1'](x)
            q = b['q'](y).view(B, T, self.heads, -1).transpose(1, 2)
            k = b['k'](y).view(B, T, self.heads, -1).transpose(1, 2)
            v = b['v'](y).view(B, T, self.heads, -1).transpose(1, 2)
            if cache is not None:
                cache[n][0][:, :, start:start + T] = k
                cache[n][1][:, :, start:start + T] = v
                k, v = cache[n][0][:, :, :start + T], cache[n][1][:, :, :start + T]
            y = F.scaled_dot_product_attention(q, k, v, is_causal=start == 0)
            x = x + b['o'](y.transpose(1, 2).contiguous().view(B, T, -1))
            x = x + b['down'](F.gelu(b['up'](b['ln2'](x)), approximate='tanh'))
        return self.head(self.ln(x))


def lora():
    net = TinyGPT()
    for p in net.parameters():
        p.requires_grad = False
    for b in net.blocks:
        for name in ('q', 'v'):
            b[name] = LoRALinear(b[name])
    net = ready(net)
    trainable = [p for p in net.parameters() if p.requires_grad]
    opt = O.AdamW(trainable, lr=2e-3)
    sched = S.CosineAnnealingLR(opt, T_max=6)
    scaler = torch.amp.GradScaler(dev)
    mark('optimizer')
    for step in range(6):
        ids_ = whole(step, 500, 4, 64)
        labels = ids_.clone()
        labels[:, :8] = -100
        mark(f'{step} inputs')
        with torch.autocast(device_type=dev, dtype=torch.float16):
            logits = net(ids_)
            loss = F.cross_entropy(logits[:, :-1].reshape(-1, logits.size(-1)), labels[:, 1:].reshape(-1)) / 2
        mark(f'{step} forward')
        scaler.scale(loss).backward()
        mark(f'{step} backward')
        if (step + 1) % 2 == 0:
            scaler.unscale_(opt)
            norm = torch.nn.utils.clip_grad_norm_(trainable, 1.)
            mark(f'{step} clip')
            scaler.step(opt)
            scaler.update()
            sched.step()
            opt.zero_grad(set_to_none=True)
            mark(f'{step} step')
            losses.append([loss.item() * 2, norm.item(), scaler.get_scale()])
    del logits, loss
    saved = {k: v.clone() for k, v in net.state_dict().items() if k.endswith('.A') or k.endswith('.B')}
    mark('saved')
    for b in net.blocks:
        for name in ('q', 'v'):
            b[name] = b[name].merge()
    mark('merged')
    net.eval()
    with torch.no_grad():
        out = net(ids_)
    losses.append(len(saved))
    return finish(out)


# ---- Generation with a cache: half precision, penalties, top-k and top-p, beams
def generate():
    net = ready(TinyGPT()).half().eval()
    mark('half')
    prompt = whole(1, 500, 4, 16)
    with torch.inference_mode():
        cache = [[torch.zeros(4, 4, 64, 32, dtype=torch.half, device=dev) for _ in range(2)] for _ in net.blocks]
        mark('cache')
        ids_, done, n = prompt, torch.zeros(4, dtype=torch.bool, device=dev), 0
        logits = net(prompt, cache)
        mark('prompt')
        for step in range(6):
            last = logits[:, -1].float()
            score = torch.gather(last, 1, ids_)
            last.scatter_(1, ids_, torch.where(score < 0, score * 1.2, score / 1.2))
            last = last / .8
            v, _ = torch.topk(last, 50)
            last[last < v[:, [-1]]] = -float('inf')
            sorted_logits, sorted_indices = torch.sort(last, descending=True)
            remove = F.softmax(sorted_logits, dim=-1).cumsum(dim=-1) > .9
            remove[..., 1:] = remove[..., :-1].clone()
            remove[..., 0] = 0
            last = last.masked_fill(remove.scatter(1, sorted_indices, remove), float('-inf'))
            probs = F.softmax(last, dim=-1)
            token = torch.multinomial(probs, num_samples=1)
            token = torch.where(done[:, None], torch.zeros_like(token), token)
            done |= token.squeeze(1) == 0
            ids_ = torch.cat((ids_, token), dim=1)
            logits = net(token, cache, start=16 + step)
            mark(f'token {step}')
        # beams over a cache that grows
        logits = net(prompt)[:, -1].float()
        top, tokens = F.log_softmax(logits, -1).topk(3)
        scores, beams = top.flatten(), torch.cat([prompt.repeat_interleave(3, 0), tokens.view(-1, 1)], 1)
        mark('beams')
        for step in range(3):
            logp = F.log_softmax(net(beams)[:, -1].float(), -1) + scores[:, None]
            scores, flat = logp.view(4, -1).topk(3)
            parent = flat // 500 + torch.arange(4, device=dev)[:, None] * 3
            beams = torch.cat([beams.index_select(0, parent.view(-1)), (flat % 500).view(-1, 1)], dim=1)
            scores = scores.view(-1)
            mark(f'beam {step}')
        best = beams.view(4, 3, -1)[torch.arange(4, device=dev), scores.view(4, 3).argmax(1)]
    return finish(best)


# ---- A mixture density network: log-sum-exp over Gaussians, sampling
class MDN(nn.Module):
    def __init__(self, i=4, h=64, k=5, o=2):
        super().__init__()
        self.k, self.o = k, o
        self.body = nn.Sequential(nn.Linear(i, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU())
        self.pi, self.mu, self.sigma = nn.Linear(h, k), nn.Linear(h, k * o), nn.Linear(h, k * o)

    def forward(self, x):
        h = self.body(x)
        return F.log_softmax(self.pi(h), -1), self.mu(h).view(-1, self.k, self.o), F.softplus(self.sigma(h)).view(-1, self.k, self.o) + 1e-3


def mdn_loss(log_pi, mu, sigma, y):
    z = (y.unsqueeze(1) - mu) / sigma
    log_prob = -.5 * z.square() - torch.log(sigma) - .5 * math.log(2 * math.pi)
    return -torch.logsumexp(log_pi + log_prob.sum(-1), dim=-1).mean()


def mdn():
    net = ready(MDN())
    opt = O.NAdam(net.parameters(), lr=1e-2)
    sched = S.OneCycleLR(opt, max_lr=1e-2, total_steps=4)
    ema = {k: v.detach().clone() for k, v in net.state_dict().items()}
    mark('optimizer')
    for step in range(3):
        x, y = numbers(step + 1, 200, 4), numbers(step + 2, 200, 2)
        x.add_(torch.randn_like(x) * 0.)
        mark(f'{step} inputs')
        log_pi, mu, sigma = net(x)
        loss = mdn_loss(log_pi, mu, sigma, y)
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        sched.step()
        with torch.no_grad():
            for k, v in net.state_dict().items():
                ema[k].mul_(.99).add_(v, alpha=.01)
        mark(f'{step} step')
        losses.append(loss.item())
    net.load_state_dict(ema)
    mark('loaded')
    net.eval()
    with torch.no_grad():
        log_pi, mu, sigma = net(x)
        k = torch.multinomial(log_pi.exp(), 1)
        index = k.unsqueeze(-1).expand(-1, 1, 2)
        sample = torch.normal(mu.gather(1, index).squeeze(1), sigma.gather(1, index).squeeze(1))
        mean = (log_pi.exp().unsqueeze(-1) * mu).sum(1)
        error = (sample - mean).pow(2).mean().sqrt()
    mark('sampled')
    return finish(mean)


# ---- A neural ODE: Runge and Kutta's method, forward through it, and backward by its adjoint
class Dynamics(nn.Module):
    def __init__(self, d=8, h=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d + 1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, d))
        self.calls = 0

    def forward(self, t, x):
        self.calls += 1
        return self.net(torch.cat([x, torch.ones_like(x[:, :1]) * t], dim=1))


def rk4(f, t, dt, x):
    k1 = f(t, x)
    k2 = f(t + dt / 2, x + dt / 2 * k1)
    k3 = f(t + dt / 2, x + dt / 2 * k2)
    k4 = f(t + dt, x + dt * k3)
    return x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class Adjoint(Function):
    @staticmethod
    def forward(ctx, x, f, steps, *params):
        ctx.f, ctx.steps = f, steps
        with torch.no_grad():
            for n in range(steps):
                x = rk4(f, n / steps, 1 / steps, x)
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, a):
        x, = ctx.saved_tensors
        params = list(ctx.f.parameters())
        grads = [torch.zeros_like(p) for p in params]
        for n in reversed(range(ctx.steps)):
            with torch.no_grad():
                x = rk4(ctx.f, (n + 1) / ctx.steps, -1 / ctx.steps, x)
            with torch.enable_grad():
                start = x.detach().requires_grad_(True)
                end = rk4(ctx.f, n / ctx.steps, 1 / ctx.steps, start)
                a, *g = torch.autograd.grad(end, [start] + params, a, allow_unused=True)
            for total, part in zip(grads, g):
                if part is not None:
                    total.add_(part)
        return (a, None, None, *grads)


def neural_ode():
    f = ready(Dynamics())
    head = fill(nn.Linear(8, 3)).to(dev)
    opt = O.RMSprop(list(f.parameters()) + list(head.parameters()), lr=1e-3)
    mark('optimizer')
    for step in range(3):
        x, y = numbers(step + 1, 128, 8), whole(step, 3, 128)
        mark(f'{step} inputs')
        if step < 2:
            z = x
            for n in range(4):
                z = rk4(f, n / 4, 1 / 4, z)
        else:
            z = Adjoint.apply(x, f, 4, *f.parameters())
        loss = F.cross_entropy(head(z), y) + 1e-2 * z.pow(2).mean()
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    with torch.no_grad():
        path = [x]
        for n in range(4):
            path.append(rk4(f, n / 4, 1 / 4, path[-1]))
        path = torch.stack(path, dim=1)
    losses.append(f.calls)
    return finish(path)


# ---- A conformer's block: relative positions by shifting, depthwise convolution, halves of feed-forward
class RelativeAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h, self.dk = heads, d // heads
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.pos, self.out = nn.Linear(d, d, bias=False), nn.Linear(d, d)
        self.u, self.v = nn.Parameter(torch.zeros(heads, self.dk)), nn.Parameter(torch.zeros(heads, self.dk))

    def forward(self, x, pos, mask):
        B, T, D = x.shape
        q = self.query(x).view(B, T, self.h, self.dk)
        k = self.key(x).view(B, T, self.h, self.dk).permute(0, 2, 1, 3)
        v = self.value(x).view(B, T, self.h, self.dk).permute(0, 2, 1, 3)
        p = self.pos(pos).view(1, T, self.h, self.dk)
        content = torch.matmul((q + self.u).transpose(1, 2), k.transpose(2, 3))
        position = torch.matmul((q + self.v).transpose(1, 2), p.permute(0, 2, 3, 1))
        position = self.shift(position)
        score = (content + position) / math.sqrt(D)
        score.masked_fill_(mask.unsqueeze(1), -1e9)
        attn = F.softmax(score, -1)
        return self.out(torch.matmul(attn, v).transpose(1, 2).contiguous().view(B, -1, D))

    def shift(self, x):
        B, H, T, P = x.size()
        zeros = x.new_zeros(B, H, T, 1)
        return torch.cat([zeros, x], dim=-1).view(B, H, P + 1, T)[:, :, 1:].view_as(x)


class Conformer(nn.Module):
    def __init__(self, d=64, heads=4, kernel=15, classes=30):
        super().__init__()
        ff = lambda: nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d))
        self.sub = nn.Linear(160, d)
        self.ff1, self.ff2 = ff(), ff()
        self.norm, self.att = nn.LayerNorm(d), RelativeAttention(d, heads)
        self.cn = nn.LayerNorm(d)
        self.conv = nn.Sequential(nn.Conv1d(d, 2 * d, 1), nn.GLU(dim=1), nn.Conv1d(d, d, kernel, padding=kernel // 2, groups=d, bias=False), nn.BatchNorm1d(d), nn.SiLU(), nn.Conv1d(d, d, 1))
        self.last = nn.LayerNorm(d)
        self.fc = nn.Linear(d, classes)
        pe = torch.zeros(200, d)
        at, div = torch.arange(200).float().unsqueeze(1), torch.exp(torch.arange(0, d, 2).float() * -(math.log(10000.) / d))
        pe[:, 0::2] = torch.sin(at * div)
        pe[:, 1::2] = torch.cos(at * div)
        self.register_buffer('pe', pe.unsqueeze(0), persistent=False)

    def forward(self, x, lengths):
        B, T, M = x.shape
        x = self.sub(x.reshape(B, T // 2, 2 * M))
        lengths = torch.div(lengths, 2, rounding_mode='floor')
        pad = torch.arange(T // 2, device=x.device).expand(B, -1) >= lengths.unsqueeze(1)
        mask = pad.unsqueeze(1) | pad.unsqueeze(2)
        x = x + .5 * self.ff1(x)
        x = x + self.att(self.norm(x), self.pe[:, :T // 2], mask)
        x = x + self.conv(self.cn(x).masked_fill(pad.unsqueeze(-1), 0.).transpose(1, 2)).transpose(1, 2)
        x = x + .5 * self.ff2(x)
        return self.fc(self.last(x)).log_softmax(-1), lengths


def conformer():
    net = ready(Conformer())
    opt = O.Adam(net.parameters(), lr=1e-3, betas=(.9, .98), eps=1e-9)
    mark('optimizer')
    for step in range(3):
        x, lengths, y = numbers(step + 1, 4, 96, 80), torch.tensor([96, 90, 80, 70], device=dev), whole(step, 30, 4, 48)
        start = 10 + 5 * step
        x[:, start:start + 8, :] = 0
        x[:, :, start:start + 6].zero_()
        mark(f'{step} inputs')
        logp, n = net(x, lengths)
        target = y.masked_fill(torch.arange(48, device=dev) >= n[:, None], -1)
        loss = F.nll_loss(logp.transpose(1, 2), target, ignore_index=-1, reduction='sum') / (target != -1).sum()
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        for group in opt.param_groups:
            group['lr'] = 64 ** -.5 * min((step + 1) ** -.5, (step + 1) * 10 ** -1.5)
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        best = net(x, lengths)[0].argmax(-1)
        for row, size in zip(best, n):
            collapsed = torch.unique_consecutive(row[:size])
            losses.append(collapsed[collapsed != 0].numel())
    return finish(best)


# ---- ControlNet: a frozen network, a copy that is trained, convolutions that begin with zeros; float16
class ResBlock(nn.Module):
    def __init__(self, i, o, t=64):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(8, i), nn.Conv2d(i, o, 3, padding=1)
        self.t = nn.Linear(t, 2 * o)
        self.n2, self.c2 = nn.GroupNorm(8, o), nn.Conv2d(o, o, 3, padding=1)
        self.skip = nn.Identity() if i == o else nn.Conv2d(i, o, 1)

    def forward(self, x, t):
        h = self.c1(F.silu(self.n1(x)))
        scale, shift = self.t(F.silu(t))[:, :, None, None].chunk(2, dim=1)
        h = self.n2(h) * (1 + scale) + shift
        return self.skip(x) + self.c2(F.silu(h))


class Encoder(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.stem = nn.Conv2d(4, c, 3, padding=1)
        self.down = nn.ModuleList([ResBlock(c, c), nn.Conv2d(c, c, 3, stride=2, padding=1), ResBlock(c, 2 * c)])

    def forward(self, x, t, hint=None):
        x = self.stem(x)
        if hint is not None:
            x = x + hint
        skips = [x]
        for m in self.down:
            x = m(x, t) if isinstance(m, ResBlock) else m(x)
            skips.append(x)
        return skips


class Denoiser(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 64))
        self.encoder = Encoder(c)
        self.mid = ResBlock(2 * c, 2 * c)
        self.up = nn.ModuleList([ResBlock(4 * c, 2 * c), ResBlock(3 * c, c), ResBlock(2 * c, c), ResBlock(2 * c, c)])
        self.out = nn.Conv2d(c, 4, 3, padding=1)

    def embed(self, t):
        f = torch.exp(-math.log(10000) * torch.arange(32, dtype=torch.float32, device=t.device) / 32)
        a = t[:, None].float() * f[None]
        return self.time(torch.cat([torch.cos(a), torch.sin(a)], dim=-1))

    def forward(self, x, t, control=None):
        t = self.embed(t)
        skips = self.encoder(x, t)
        x = self.mid(skips[-1], t)
        if control is not None:
            x = x + control.pop()
        for k, block in enumerate(self.up):
            s = skips.pop()
            if control is not None:
                s = s + control.pop()
            if x.shape[-1] != s.shape[-1]:
                x = F.interpolate(x, scale_factor=2, mode='nearest')
            x = block(torch.cat([x, s], dim=1), t)
        return self.out(F.silu(x))


def zero_module(m):
    for p in m.parameters():
        p.detach().zero_()
    return m


class Control(nn.Module):
    def __init__(self, base, c=32):
        super().__init__()
        self.encoder, self.mid = copy.deepcopy(base.encoder), copy.deepcopy(base.mid)
        self.hint = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.SiLU(), zero_module(nn.Conv2d(16, c, 3, padding=1)))
        self.zeros = nn.ModuleList([zero_module(nn.Conv2d(n, n, 1)) for n in (c, c, c, 2 * c, 2 * c)])

    def forward(self, x, t, hint):
        skips = self.encoder(x, t, self.hint(hint))
        skips.append(self.mid(skips[-1], t))
        return [z(s) for z, s in zip(self.zeros, skips)]


def controlnet():
    base = fill(Denoiser()).requires_grad_(False).eval()
    control = Control(base).to(dev)
    base.to(dev)
    mark('model')
    control.train().requires_grad_(True)
    opt = O.AdamW(control.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler(dev, init_scale=1024.)
    average = copy.deepcopy(control).requires_grad_(False)
    mark('optimizer')
    bar = torch.cumprod(1 - torch.linspace(.0001 ** .5, .02 ** .5, 1000, device=dev) ** 2, dim=0)
    for step in range(3):
        x0, noise, hint, t = numbers(step + 1, 4, 4, 16, 16), numbers(step + 2, 4, 4, 16, 16), unit(step + 3, 4, 3, 16, 16), whole(step, 1000, 4)
        mark(f'{step} inputs')
        a = bar[t].view(-1, 1, 1, 1)
        x = a.sqrt() * x0 + (1 - a).sqrt() * noise
        with torch.autocast(dev, dtype=torch.float16):
            pred = base(x, t, control(x, base.embed(t), hint))
        loss = F.mse_loss(pred.float(), noise)
        mark(f'{step} forward')
        scaler.scale(loss).backward()
        mark(f'{step} backward')
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        with torch.no_grad():
            for p, q in zip(average.parameters(), control.parameters()):
                p.lerp_(q, .1)
        mark(f'{step} step')
        losses.append([loss.item(), scaler.get_scale()])
    average.eval()
    x = noise
    with torch.no_grad(), torch.autocast(dev, dtype=torch.float16):
        for n in (900, 500, 100):
            t = torch.full((4,), n, device=dev, dtype=torch.long)
            c = average(x, base.embed(t), hint)
            both = base(torch.cat([x, x]), torch.cat([t, t]), [torch.cat([torch.zeros_like(s), s]) for s in c])
            free, guided = both.chunk(2)
            e = free + 3. * (guided - free)
            x0 = ((x - (1 - bar[n]).sqrt() * e) / bar[n].sqrt()).clamp(-1, 1)
            x = bar[n - 100].sqrt() * x0 + (1 - bar[n - 100]).sqrt() * e
            mark(f'denoised {n}')
    return finish(x)


# ---- Soft actor-critic: a buffer of transitions, two critics and their slow copies, a learned temperature
def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class Actor(nn.Module):
    def __init__(self, s=6, a=2):
        super().__init__()
        self.net = mlp(s, 64, 64, 2 * a)

    def forward(self, s, noise):
        mu, log_std = self.net(s).chunk(2, dim=-1)
        std = torch.clamp(log_std, -20, 2).exp()
        u = mu + std * noise
        a = torch.tanh(u)
        logp = torch.distributions.Normal(mu, std).log_prob(u).sum(-1)
        logp = logp - (2 * (math.log(2) - u - F.softplus(-2 * u))).sum(dim=-1)
        return a, logp


class Twin(nn.Module):
    def __init__(self, s=6, a=2):
        super().__init__()
        self.q1, self.q2 = mlp(s + a, 64, 64, 1), mlp(s + a, 64, 64, 1)

    def forward(self, s, a):
        x = torch.cat([s, a], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class Buffer:
    def __init__(self, size, s, a):
        self.s, self.s2 = torch.zeros((size, s), device=dev), torch.zeros((size, s), device=dev)
        self.a, self.r, self.d = torch.zeros((size, a), device=dev), torch.zeros(size, device=dev), torch.zeros(size, dtype=torch.bool, device=dev)
        self.at, self.size = 0, size

    def add(self, s, a, r, s2, d):
        i = self.at % self.size
        self.s[i], self.a[i], self.r[i], self.s2[i], self.d[i] = s, a, r, s2, d
        self.at += 1

    def sample(self, idx):
        return self.s[idx], self.a[idx], self.r[idx], self.s2[idx], self.d[idx]


def sac():
    actor, critic = fill(Actor()).to(dev), fill(Twin()).to(dev)
    target = copy.deepcopy(critic)
    for p in target.parameters():
        p.requires_grad_(False)
    log_alpha = torch.zeros(1, requires_grad=True, device=dev)
    opt_a, opt_c, opt_t = O.Adam(actor.parameters(), lr=3e-4), O.Adam(critic.parameters(), lr=3e-4), O.Adam([log_alpha], lr=3e-4)
    memory = Buffer(256, 6, 2)
    mark('model')
    for step in range(3):
        s = numbers(step, 6)
        for n in range(40):
            with torch.no_grad():
                a, _ = actor(s, numbers(n + 40 * step, 2))
            s2 = s * .9 + .1 * a.sum()
            r = -(s2 ** 2).sum()
            memory.add(s, a, r, s2, n == 39)
            s = s2
        mark(f'{step} played')
        s, a, r, s2, d = memory.sample(whole(step, 40 * (step + 1), 32))
        mark(f'{step} sampled')
        with torch.no_grad():
            a2, logp2 = actor(s2, numbers(step + 7, 32, 2))
            q = torch.min(*target(s2, a2)) - log_alpha.exp() * logp2
            y = r + .99 * (~d) * q
        q1, q2 = critic(s, a)
        loss_c = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        opt_c.zero_grad()
        loss_c.backward()
        mark(f'{step} critic backward')
        opt_c.step()
        mark(f'{step} critic step')
        for p in critic.parameters():
            p.requires_grad = False
        new, logp = actor(s, numbers(step + 8, 32, 2))
        loss_a = (log_alpha.exp().detach() * logp - torch.min(*critic(s, new))).mean()
        opt_a.zero_grad()
        loss_a.backward()
        mark(f'{step} actor backward')
        opt_a.step()
        for p in critic.parameters():
            p.requires_grad = True
        loss_t = -(log_alpha * (logp + -2.).detach()).mean()
        opt_t.zero_grad()
        loss_t.backward()
        opt_t.step()
        mark(f'{step} steps')
        with torch.no_grad():
            for p, q in zip(critic.parameters(), target.parameters()):
                q.data.mul_(.995)
                q.data.add_(.005 * p.data)
        mark(f'{step} polyak')
        losses.append([loss_c.item(), loss_a.item(), loss_t.item(), log_alpha.exp().item()])
    with torch.no_grad():
        out = actor(s, torch.zeros(32, 2, device=dev))[0]
    return finish(out)


# ---- BiLSTM-CRF: packed sequences, the forward algorithm, Viterbi's path
class CRFTagger(nn.Module):
    def __init__(self, V=400, d=32, h=32, tags=7):
        super().__init__()
        self.emb, self.lstm = nn.Embedding(V, d, padding_idx=0), nn.LSTM(d, h, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * h, tags)
        self.start, self.end, self.trans = nn.Parameter(torch.empty(tags)), nn.Parameter(torch.empty(tags)), nn.Parameter(torch.empty(tags, tags))
        for p in (self.start, self.end, self.trans):
            nn.init.uniform_(p, -.1, .1)

    def emissions(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        out, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.fc(out).transpose(0, 1)

    def score(self, e, tags, mask):
        T, B = tags.shape
        b = torch.arange(B, device=e.device)
        s = self.start[tags[0]] + e[0, b, tags[0]]
        for t in range(1, T):
            s += (self.trans[tags[t - 1], tags[t]] + e[t, b, tags[t]]) * mask[t]
        last = mask.long().sum(dim=0) - 1
        return s + self.end[tags[last, b]]

    def normalizer(self, e, mask):
        s = self.start + e[0]
        for t in range(1, e.size(0)):
            n = torch.logsumexp(s.unsqueeze(2) + self.trans + e[t].unsqueeze(1), dim=1)
            s = torch.where(mask[t].unsqueeze(1), n, s)
        return torch.logsumexp(s + self.end, dim=1)

    def forward(self, x, lengths, tags, mask):
        e, tags, mask = self.emissions(x, lengths), tags.t(), mask.t()
        return (self.normalizer(e, mask) - self.score(e, tags, mask)).mean()

    def decode(self, x, lengths, mask):
        e, mask = self.emissions(x, lengths), mask.t()
        s, history = self.start + e[0], []
        for t in range(1, e.size(0)):
            n, i = (s.unsqueeze(2) + self.trans + e[t].unsqueeze(1)).max(dim=1)
            s = torch.where(mask[t].unsqueeze(1), n, s)
            history.append(i)
        best = [(s + self.end).argmax(dim=1)]
        for i in reversed(history):
            best.append(i.gather(1, best[-1].unsqueeze(1)).squeeze(1))
        best.reverse()
        return torch.stack(best, dim=1)


def bilstm_crf():
    net = ready(CRFTagger())
    opt = O.Adamax(net.parameters(), lr=2e-3)
    sched = S.ReduceLROnPlateau(opt, patience=0)
    mark('optimizer')
    for step in range(3):
        lengths = torch.tensor([20, 18, 20, 11, 9, 15, 20, 5])
        mask = torch.arange(20, device=dev)[None] < lengths.to(dev)[:, None]
        x, tags = (whole(step, 399, 8, 20) + 1) * mask, whole(step, 7, 8, 20)
        mark(f'{step} inputs')
        loss = net(x, lengths, tags, mask)
        mark(f'{step} forward')
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
        sched.step(losses[-1])
    net.eval()
    with torch.no_grad():
        best = net.decode(x, lengths, mask)
    return finish(best)


# ---- SchNet: filters of distances, forces as gradients that are trained
class Interaction(nn.Module):
    def __init__(self, d, rbf):
        super().__init__()
        self.filter = nn.Sequential(nn.Linear(rbf, d), nn.Softplus(), nn.Linear(d, d))
        self.lin1, self.lin2, self.lin = nn.Linear(d, d, bias=False), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, i, j, rbf, cut):
        W = self.filter(rbf) * cut.unsqueeze(-1)
        m = self.lin1(x)[j] * W
        x = torch.zeros_like(x).index_add(0, i, m)
        return self.lin(F.softplus(self.lin2(x)) - math.log(2.))


class SchNet(nn.Module):
    def __init__(self, d=32, rbf=20, layers=2, cutoff=5.):
        super().__init__()
        self.emb, self.cutoff = nn.Embedding(20, d), cutoff
        self.layers = nn.ModuleList([Interaction(d, rbf) for _ in range(layers)])
        self.out = nn.Sequential(nn.Linear(d, d // 2), nn.Softplus(), nn.Linear(d // 2, 1))
        self.register_buffer('centers', torch.linspace(0, cutoff, rbf))

    def forward(self, z, pos, batch, i, j, graphs):
        r = (pos[i] - pos[j]).pow(2).sum(-1).sqrt()
        rbf = torch.exp(-10. * (r.unsqueeze(-1) - self.centers) ** 2)
        cut = .5 * (torch.cos(r * math.pi / self.cutoff) + 1.)
        x = self.emb(z)
        for layer in self.layers:
            x = x + layer(x, i, j, rbf, cut)
        e = self.out(x).squeeze(-1)
        return torch.zeros(graphs, device=e.device).index_add_(0, batch, e)


def schnet():
    net = ready(SchNet())
    opt = O.AdamW(net.parameters(), lr=1e-3, fused=True)
    mark('optimizer')
    n, graphs = 12, 8
    a, b = torch.meshgrid(torch.arange(n, device=dev), torch.arange(n, device=dev), indexing='ij')
    keep = a != b
    offsets = torch.arange(graphs, device=dev).repeat_interleave(n * (n - 1)) * n
    i, j = a[keep].repeat(graphs) + offsets, b[keep].repeat(graphs) + offsets
    batch = torch.arange(graphs, device=dev).repeat_interleave(n)
    mark('graph')
    for step in range(3):
        z, pos = whole(step, 20, n * graphs), numbers(step + 1, n * graphs, 3).mul_(3.).requires_grad_(True)
        energy, force = numbers(step + 2, graphs), numbers(step + 3, n * graphs, 3)
        mark(f'{step} inputs')
        e = net(z, pos, batch, i, j, graphs)
        mark(f'{step} energy')
        f = -torch.autograd.grad(e, pos, grad_outputs=torch.ones_like(e), create_graph=True)[0]
        mark(f'{step} forces')
        loss = .01 * F.mse_loss(e, energy) + F.l1_loss(f, force)
        opt.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
    del loss, e, f
    mark('deleted')
    e = net(z, pos, batch, i, j, graphs)
    f = -torch.autograd.grad(e.sum(), pos)[0]
    return finish(f)


ALL = dict(perceiver=perceiver, decision_transformer=decision_transformer, gru4rec=gru4rec, tabnet=tabnet, sets=sets, triplet=triplet, rotate=rotate, fasttext=fasttext,
           ncf=ncf, lora=lora, generate=generate, mdn=mdn, neural_ode=neural_ode, conformer=conformer, controlnet=controlnet, sac=sac, bilstm_crf=bilstm_crf, schnet=schnet)
if __name__ == '__main__':
    if sys.argv[1] == 'list': print(*ALL); sys.exit()
    name = sys.argv[1]; torch.manual_seed(0); exact = '--exact' in sys.argv
    if exact: torch.backends.cudnn.allow_tf32 = False
    if not fake: torch.cuda.init(); history(True)
    out = None; error = None
    try: out = ALL[name](); mark('output deleted')
    except Exception as e:
        if fake: raise
        error = f'{type(e).__name__}: {str(e)[:400]}'
    t = trace()
    row = dict(model=name, torch=torch.__version__, cudnn=torch.backends.cudnn.version(), env={k: os.environ.get(k) for k in ('CUBLAS_WORKSPACE_CONFIG', 'DISABLE_ADDMM_CUDA_LT', 'PYTORCH_CUDA_ALLOC_CONF')}, tf32=not exact, marks=marks, losses=losses, evaluation=out, error=error, trace=t)
    with gzip.open(sys.argv[2], 'wt') as f: json.dump(row, f, separators=(',', ':'))
    print(name, len(marks), 'marks', len(t), 'events', losses, error or '', flush=True)
