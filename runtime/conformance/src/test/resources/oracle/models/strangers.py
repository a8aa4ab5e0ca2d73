"""Six more training scripts as people bring them, with marks as models.py's: usage: strangers.py MODEL OUTFILE [--exact], or strangers.py list

Written before anything of it was tried in VramLab. Numbers are made by measured.make; parameters are filled as measured.fill says, before .to(device)."""
import copy, math, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from models import *
from torch.optim import lr_scheduler as S
torch.backends.opt_einsum.enabled = False   # PyTorch does not bring it


def numbers(k, *shape): return make('c ' + ' '.join(map(str, shape)), k)
def unit(k, *shape): return make('q ' + ' '.join(map(str, shape)), k)
def whole(k, n, *shape): return make(f'i{n} ' + ' '.join(map(str, shape)), k, False)
def ready(net): net = fill(net).to(dev); mark('model'); return net
def finish(out): mark('evaluation'); v = summary(out); del out; return v


# ---- Pictures and words: two encoders with projection heads, a momentum copy of both, queues of negatives
class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, dim * 3, bias=False)
        self.q_norm, self.k_norm = nn.LayerNorm(dim // heads, bias=False), nn.LayerNorm(dim // heads, bias=False)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k = self.q_norm(q), self.k_norm(k)
        x = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(x.transpose(1, 2).reshape(B, N, C))


class Layer(nn.Module):
    def __init__(self, dim, heads, ratio=4, drop=0.0, init_values=1e-2):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, int(dim * ratio)), nn.GELU(approximate='tanh'), nn.Dropout(drop), nn.Linear(int(dim * ratio), dim))
        self.gamma1 = nn.Parameter(init_values * torch.ones(dim))
        self.gamma2 = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x, mask=None):
        x = x + self.gamma1 * self.attn(self.norm1(x), mask)
        return x + self.gamma2 * self.mlp(self.norm2(x))


class Encoder(nn.Module):
    def __init__(self, embed, tokens, dim=96, depth=2, heads=4, out=64):
        super().__init__()
        self.embed = embed
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, tokens + 1, dim) * .02)
        self.layers = nn.ModuleList([Layer(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.head = nn.Sequential(nn.Linear(dim, dim, bias=False), nn.BatchNorm1d(dim), nn.ReLU(inplace=True), nn.Linear(dim, out, bias=False), nn.BatchNorm1d(out, affine=False))

    def forward(self, x, keep=None):
        x = self.embed(x)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], dim=1) + self.pos
        mask = None
        if keep is not None:
            keep = F.pad(keep, (1, 0), value=True)
            mask = keep[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return F.normalize(self.head(self.norm(x)[:, 0]), dim=-1)


class Patches(nn.Module):
    def __init__(self, patch, dim):
        super().__init__()
        self.patch = patch
        self.proj = nn.Linear(3 * patch * patch, dim)

    def forward(self, x):
        B, C, H, W = x.shape
        p = self.patch
        x = x.reshape(B, C, H // p, p, W // p, p)
        x = torch.einsum('nchpwq->nhwpqc', x)
        return self.proj(x.reshape(B, H * W // p ** 2, -1))


class DualEncoder(nn.Module):
    def __init__(self, dim=96, out=64, queue=256, m=0.99):
        super().__init__()
        self.m = m
        self.visual = Encoder(Patches(8, dim), 16)
        self.textual = Encoder(nn.Embedding(500, dim, padding_idx=0), 20)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / .07)))
        self.visual_m, self.textual_m = copy.deepcopy(self.visual), copy.deepcopy(self.textual)
        for p in [*self.visual_m.parameters(), *self.textual_m.parameters()]:
            p.requires_grad = False
        self.register_buffer('image_queue', F.normalize(torch.randn(out, queue), dim=0))
        self.register_buffer('text_queue', F.normalize(torch.randn(out, queue), dim=0))
        self.register_buffer('ptr', torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def momentum_update(self):
        for online, target in ((self.visual, self.visual_m), (self.textual, self.textual_m)):
            for p, pm in zip(online.parameters(), target.parameters()):
                pm.data.mul_(self.m).add_(p.data, alpha=1 - self.m)

    @torch.no_grad()
    def enqueue(self, image, text):
        n, at = image.shape[0], int(self.ptr)
        self.image_queue[:, at:at + n] = image.T
        self.text_queue[:, at:at + n] = text.T
        self.ptr[0] = (at + n) % self.image_queue.shape[1]

    def forward(self, images, tokens):
        keep = tokens != 0
        image, text = self.visual(images), self.textual(tokens, keep)
        with torch.no_grad():
            self.momentum_update()
            image_m, text_m = self.visual_m(images), self.textual_m(tokens, keep)
            image_all = torch.cat([image_m.t(), self.image_queue.clone().detach()], dim=1)
            text_all = torch.cat([text_m.t(), self.text_queue.clone().detach()], dim=1)
        scale = self.logit_scale.exp().clamp(max=100)
        i2t, t2i = scale * image @ text_all, scale * text @ image_all
        labels = torch.arange(images.shape[0], device=images.device)
        loss = (F.cross_entropy(i2t, labels) + F.cross_entropy(t2i, labels)) / 2
        self.enqueue(image_m, text_m)
        return loss, i2t


def dual_encoder():
    net = ready(DualEncoder())
    decay = [p for n, p in net.named_parameters() if p.requires_grad and p.ndim >= 2]
    rest = [p for n, p in net.named_parameters() if p.requires_grad and p.ndim < 2]
    opt = O.AdamW([{'params': decay, 'weight_decay': 0.2}, {'params': rest, 'weight_decay': 0.0}], lr=5e-4, betas=(0.9, 0.98), eps=1e-6)
    warmup = S.LinearLR(opt, start_factor=0.1, total_iters=2)
    cosine = S.CosineAnnealingLR(opt, T_max=10)
    sched = S.SequentialLR(opt, [warmup, cosine], milestones=[2])
    mark('optimizer')
    for step in range(3):
        images, tokens = unit(step + 1, 16, 3, 32, 32), whole(step + 2, 500, 16, 20)
        tokens[:, 14:] = 0
        mark(f'{step} inputs')
        loss, logits = net(images, tokens)
        mark(f'{step} forward')
        opt.zero_grad(set_to_none=True)
        loss.backward()
        mark(f'{step} backward')
        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        with torch.no_grad():
            net.logit_scale.clamp_(0, math.log(100))
        mark(f'{step} step')
        losses.append(loss.item())
        hits = (logits[:, :16].argmax(dim=1) == torch.arange(16, device=dev)).sum().item()
        losses.append(hits)
        mark(f'{step} item')
    net.eval()
    with torch.no_grad():
        a, b = net.visual(images), net.textual(tokens, tokens.ne(0))
        sim = a @ b.T
    return finish(sim)


# ---- Speech: masked pretraining with a quantizer of groups and sampled negatives
class Quantizer(nn.Module):
    def __init__(self, dim, groups=2, entries=32, out=48, tau=2.0):
        super().__init__()
        self.groups, self.entries, self.tau = groups, entries, tau
        self.codevectors = nn.Parameter(torch.empty(1, groups * entries, out // groups).uniform_())
        self.weight_proj = nn.Linear(dim, groups * entries)

    def forward(self, x, noise):
        B, T, _ = x.shape
        logits = self.weight_proj(x).view(B * T * self.groups, -1)
        soft = torch.softmax(logits.view(B * T, self.groups, -1).float(), dim=-1)
        y = torch.softmax((logits + noise) / self.tau, dim=-1)
        index = y.max(dim=-1, keepdim=True)[1]
        hard = torch.zeros_like(logits).scatter_(-1, index, 1.0)
        probs = hard - y.detach() + y
        marginal = soft.mean(dim=0)
        perplexity = torch.exp(-torch.sum(marginal * torch.log(marginal + 1e-7), dim=-1)).sum()
        probs = probs.view(B * T, -1)
        picked = probs.unsqueeze(-1) * self.codevectors
        picked = picked.view(B * T, self.groups, self.entries, -1).sum(-2).view(B, T, -1)
        return picked, perplexity


class Wave(nn.Module):
    def __init__(self, dim=64, frames=60, window=80):
        super().__init__()
        self.window = window
        self.extract = nn.Sequential(nn.Linear(window, dim), nn.GELU(), nn.LayerNorm(dim, elementwise_affine=False), nn.Linear(dim, dim), nn.GELU())
        self.norm = nn.LayerNorm(dim)
        self.project = nn.Linear(dim, 96)
        self.mask_emb = nn.Parameter(torch.FloatTensor(96).uniform_())
        self.pos = nn.Parameter(torch.zeros(1, frames, 96))
        layer = nn.TransformerEncoderLayer(96, 4, 192, dropout=0.0, activation='gelu', batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, norm=nn.LayerNorm(96), enable_nested_tensor=False)
        self.quantizer = Quantizer(dim)
        self.final, self.target = nn.Linear(96, 48), nn.Linear(48, 48)

    def forward(self, wave, mask, noise, negatives):
        frames = wave.unfold(1, self.window, self.window)
        z = self.norm(self.extract(frames))
        x = self.project(z)
        x = torch.where(mask.unsqueeze(-1), self.mask_emb.to(x.dtype), x)
        c = self.final(self.encoder(x + self.pos))
        q, perplexity = self.quantizer(z, noise)
        q = self.target(q)
        B, T, D = q.shape
        neg = q.view(-1, D)[negatives.view(-1)].view(B, T, -1, D).permute(2, 0, 1, 3)
        targets = torch.cat([q[None], neg], dim=0)
        logits = F.cosine_similarity(c.float(), targets.float(), dim=-1).type_as(targets) / 0.1
        same = (q == neg).all(-1)
        if same.any():
            logits[1:][same] = float('-inf')
        logits = logits.transpose(0, 2).reshape(-1, logits.size(0))
        labels = ((1 - mask.long()) * -100).transpose(0, 1).flatten()
        contrastive = F.cross_entropy(logits.float(), labels, reduction='sum')
        total = self.quantizer.groups * self.quantizer.entries
        diversity = (total - perplexity) / total * mask.sum()
        return contrastive + 0.1 * diversity, c


def masked_speech():
    net = ready(Wave())
    opt = O.AdamW(net.parameters(), lr=5e-4, weight_decay=0.01)
    sched = S.LambdaLR(opt, lambda it: min(1.0, (it + 1) / 2))
    scaler = torch.amp.GradScaler(dev, init_scale=2.**10, growth_interval=2)
    mark('optimizer')
    for step in range(3):
        wave = numbers(step + 1, 6, 4800)
        mask = torch.zeros(6, 60, dtype=torch.bool, device=dev)
        for start in (3, 17, 41):
            mask[:, start:start + 8] = True
        noise = -torch.log(-torch.log(unit(step + 3, 6 * 60 * 2, 32)))
        negatives = whole(step, 360, 6, 60, 10)
        mark(f'{step} inputs')
        with torch.autocast(dev, dtype=torch.float16):
            loss, c = net(wave, mask, noise, negatives)
        loss = loss / mask.sum()
        mark(f'{step} forward')
        scaler.scale(loss).backward()
        mark(f'{step} backward')
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=10.)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        sched.step()
        mark(f'{step} step')
        losses.append(loss.item())
        losses.append(scaler.get_scale())
        mark(f'{step} item')
    del loss, noise, negatives
    net.eval()
    with torch.no_grad():
        z = net.norm(net.extract(wave.unfold(1, 80, 80)))
        out = net.encoder(net.project(z) + net.pos)
    return finish(out)


# ---- Diffusion policy: a transformer decoder denoises sequences of actions; an averaged copy acts
class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        half = self.dim // 2
        emb = math.log(10000) / (half - 1)
        emb = torch.exp(torch.arange(half, device=x.device) * -emb)
        emb = x[:, None] * emb[None, :]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class Denoiser(nn.Module):
    def __init__(self, act=7, obs=20, horizon=16, steps=2, d=96):
        super().__init__()
        self.input_emb = nn.Linear(act, d)
        self.pos_emb = nn.Parameter(torch.zeros(1, horizon, d))
        self.time_emb = SinusoidalPosEmb(d)
        self.cond_emb = nn.Linear(obs, d)
        self.cond_pos = nn.Parameter(torch.zeros(1, 1 + steps, d))
        self.encoder = nn.Sequential(nn.Linear(d, 4 * d), nn.Mish(), nn.Linear(4 * d, d))
        layer = nn.TransformerDecoderLayer(d_model=d, nhead=4, dim_feedforward=4 * d, dropout=0.0, activation='gelu', batch_first=True, norm_first=True)
        self.decoder = nn.TransformerDecoder(layer, num_layers=2)
        self.ln_f = nn.LayerNorm(d)
        self.head = nn.Linear(d, act)
        mask = (torch.triu(torch.ones(horizon, horizon)) == 1).transpose(0, 1)
        mask = mask.float().masked_fill(mask == 0, float('-inf')).masked_fill(mask == 1, float(0.0))
        self.register_buffer('mask', mask)
        t, s = torch.meshgrid(torch.arange(horizon), torch.arange(1 + steps), indexing='ij')
        memory = (t >= (s - 1)).float()
        memory = memory.masked_fill(memory == 0, float('-inf')).masked_fill(memory == 1, float(0.0))
        self.register_buffer('memory_mask', memory)

    def forward(self, sample, timestep, cond):
        time = self.time_emb(timestep.expand(sample.shape[0])).unsqueeze(1)
        tokens = torch.cat([time, self.cond_emb(cond)], dim=1)
        memory = self.encoder(tokens + self.cond_pos[:, :tokens.shape[1], :])
        x = self.input_emb(sample) + self.pos_emb[:, :sample.shape[1], :]
        x = self.decoder(tgt=x, memory=memory, tgt_mask=self.mask, memory_mask=self.memory_mask)
        return self.head(self.ln_f(x))


class Noise:
    def __init__(self, steps=50):
        t = torch.linspace(0, steps, steps + 1) / steps
        f = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
        self.betas = torch.clip(1 - f[1:] / f[:-1], 0, 0.999).to(dev)
        self.alphas = 1.0 - self.betas
        self.bar = torch.cumprod(self.alphas, dim=0)
        self.steps = steps

    def add(self, x, noise, t):
        a = self.bar[t] ** 0.5
        b = (1 - self.bar[t]) ** 0.5
        return a.view(-1, 1, 1) * x + b.view(-1, 1, 1) * noise

    def step(self, eps, t, x, z):
        bar = self.bar[t]
        before = self.bar[t - 1] if t > 0 else torch.tensor(1.0, device=x.device)
        x0 = ((x - (1 - bar).sqrt() * eps) / bar.sqrt()).clamp(-1, 1)
        mean = (before.sqrt() * self.betas[t] / (1 - bar)) * x0 + (self.alphas[t].sqrt() * (1 - before) / (1 - bar)) * x
        if t > 0:
            mean = mean + ((1 - before) / (1 - bar) * self.betas[t]).clamp(min=1e-20).sqrt() * z
        return mean


class EMA:
    def __init__(self, model, power=0.75):
        self.averaged = copy.deepcopy(model).eval()
        self.averaged.requires_grad_(False)
        self.power, self.step_count = power, 0

    @torch.no_grad()
    def step(self, model):
        decay = max(0., 1 - (1 + self.step_count) ** -self.power)
        params = dict(self.averaged.named_parameters())
        for name, p in model.named_parameters():
            params[name].mul_(decay)
            params[name].add_(p.data.to(dtype=params[name].dtype), alpha=1 - decay)
        for (_, a), (_, b) in zip(self.averaged.named_buffers(), model.named_buffers()):
            a.copy_(b)
        self.step_count += 1


def diffusion_policy():
    net = ready(Denoiser())
    noise = Noise()
    ema = EMA(net)
    mark('averaged')
    opt = O.AdamW([{'params': [p for p in net.parameters() if p.dim() > 1], 'weight_decay': 1e-3}, {'params': [p for p in net.parameters() if p.dim() <= 1]}], lr=1e-4, betas=(0.9, 0.95), weight_decay=0.0)
    sched = S.OneCycleLR(opt, max_lr=1e-3, total_steps=10)
    mark('optimizer')
    for step in range(3):
        batch = {'obs': numbers(step + 1, 24, 2, 20), 'action': numbers(step + 2, 24, 16, 7)}
        eps, t = numbers(step + 3, 24, 16, 7), whole(step, 50, 24)
        mark(f'{step} inputs')
        noisy = noise.add(batch['action'], eps, t)
        pred = net(noisy, t, batch['obs'])
        loss = F.mse_loss(pred, eps, reduction='none')
        loss = loss.flatten(1).mean(dim=1).mean()
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        opt.zero_grad()
        sched.step()
        ema.step(net)
        mark(f'{step} step')
        losses.append(loss.item())
    policy = ema.averaged
    with torch.inference_mode():
        obs = batch['obs'][:4]
        x = numbers(9, 4, 16, 7)
        for t in reversed(range(0, 50, 10)):
            out = policy(x, torch.tensor(t, device=dev), obs)
            x = noise.step(out, t, x, numbers(t + 1, 4, 16, 7))
    mark('sampled')
    return finish(x)


# ---- Residual vector quantization with codebooks that follow averages of what they stand for
class Codebook(nn.Module):
    def __init__(self, size, dim, decay=0.9, eps=1e-5, dead=2.0):
        super().__init__()
        self.size, self.decay, self.eps, self.dead = size, decay, eps, dead
        embed = torch.randn(size, dim)
        self.register_buffer('inited', torch.tensor(False))
        self.register_buffer('cluster_size', torch.zeros(size))
        self.register_buffer('embed', embed)
        self.register_buffer('embed_avg', embed.clone())

    @torch.no_grad()
    def init(self, flat):
        if self.inited:
            return
        self.embed.data.copy_(flat[:self.size])
        self.embed_avg.data.copy_(self.embed)
        self.cluster_size.data.copy_(torch.ones(self.size, device=flat.device))
        self.inited.fill_(True)

    def forward(self, x):
        shape = x.shape
        flat = x.reshape(-1, shape[-1])
        self.init(flat)
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed.t() + self.embed.t().pow(2).sum(0, keepdim=True)
        index = dist.argmin(dim=-1)
        onehot = F.one_hot(index, self.size).type(x.dtype)
        quantized = F.embedding(index.view(*shape[:-1]), self.embed)
        if self.training:
            with torch.no_grad():
                self.cluster_size.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
                self.embed_avg.mul_(self.decay).add_(onehot.t() @ flat, alpha=1 - self.decay)
                n = self.cluster_size.sum()
                smoothed = (self.cluster_size + self.eps) / (n + self.size * self.eps) * n
                self.embed.data.copy_(self.embed_avg / smoothed.unsqueeze(1))
                expired = self.cluster_size < self.dead / 10
                if torch.any(expired):
                    self.embed.data[expired] = flat[:int(expired.sum())]
        probs = onehot.mean(0)
        perplexity = torch.exp(-(probs * (probs + 1e-10).log()).sum())
        return quantized, index.view(*shape[:-1]), perplexity


class ResidualVQ(nn.Module):
    def __init__(self, layers, **kw):
        super().__init__()
        self.layers = nn.ModuleList(Codebook(**kw) for _ in range(layers))

    def forward(self, x):
        out, residual = torch.zeros_like(x), x
        commits, indices, perplexities = [], [], []
        for layer in self.layers:
            q, index, perplexity = layer(residual.detach())
            commits.append(F.mse_loss(residual, q.detach()))
            q = residual + (q - residual).detach()
            residual = residual - q.detach()
            out = out + q
            indices.append(index)
            perplexities.append(perplexity)
        return out, torch.stack(indices, dim=-1), torch.stack(commits).mean(), torch.stack(perplexities)


class Snake(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(channels))

    def forward(self, x):
        return x + (self.alpha + 1e-9).reciprocal() * torch.sin(self.alpha * x).pow(2)


class Codec(nn.Module):
    def __init__(self, width=128, dim=32):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, width), Snake(width), nn.Linear(width, width), Snake(width), nn.Linear(width, dim))
        self.quantizer = ResidualVQ(4, size=64, dim=dim)
        self.decoder = nn.Sequential(nn.Linear(dim, width), Snake(width), nn.RMSNorm(width), nn.Linear(width, 64), nn.Tanh())

    def forward(self, x):
        z, codes, commit, perplexity = self.quantizer(self.encoder(x))
        return self.decoder(z), codes, commit, perplexity


def codec():
    net = ready(Codec())
    critic = fill(nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))).to(dev)
    opt = O.Adam(net.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_d = O.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    mark('optimizer')
    for step in range(3):
        x = numbers(step + 1, 8, 50, 64)
        mark(f'{step} inputs')
        y, codes, commit, perplexity = net(x)
        mark(f'{step} forward')
        fake_score, real_score = critic(y.detach()), critic(x)
        loss_d = F.relu(1 - real_score).mean() + F.relu(1 + fake_score).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()
        mark(f'{step} critic')
        for p in critic.parameters():
            p.requires_grad_(False)
        recon = F.l1_loss(y, x)
        adv = -critic(y).mean()
        last = net.decoder[3].weight
        g_recon = torch.autograd.grad(recon, last, retain_graph=True)[0]
        g_adv = torch.autograd.grad(adv, last, retain_graph=True)[0]
        weight = (g_recon.norm() / (g_adv.norm() + 1e-4)).clamp(0, 1e2).detach()
        loss = recon + 0.25 * commit + weight * 0.1 * adv
        opt.zero_grad()
        loss.backward()
        for p in critic.parameters():
            p.requires_grad_(True)
        opt.step()
        mark(f'{step} step')
        losses.append([loss.item(), loss_d.item(), *perplexity.tolist()])
        mark(f'{step} item')
    net.eval()
    with torch.no_grad():
        y, codes, *_ = net(x)
    losses.append(codes.unique().numel())
    return finish(y)


# ---- PPO: rollouts, generalized advantages, minibatches, clipped objectives, annealed rates
def layer_init(layer, std=2 ** 0.5, bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class Agent(nn.Module):
    def __init__(self, obs=17, actions=5):
        super().__init__()
        self.network = nn.Sequential(layer_init(nn.Linear(obs, 64)), nn.Tanh(), layer_init(nn.Linear(64, 64)), nn.Tanh())
        self.actor = layer_init(nn.Linear(64, actions), std=0.01)
        self.critic = layer_init(nn.Linear(64, 1), std=1)

    def get_value(self, x):
        return self.critic(self.network(x))

    def get_action_and_value(self, x, action=None, u=None):
        hidden = self.network(x)
        logits = self.actor(hidden)
        logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        probs = F.softmax(logits, dim=-1)
        if action is None:
            action = (probs.cumsum(-1) < u.unsqueeze(-1)).sum(-1).clamp(max=logits.size(-1) - 1)
        logprob = logits.gather(-1, action.unsqueeze(-1)).squeeze(-1)
        entropy = -(logits * probs).sum(-1)
        return action, logprob, entropy, self.critic(hidden)


def ppo():
    T, N, gamma, lam, clip_coef, ent_coef, vf_coef = 32, 8, 0.99, 0.95, 0.2, 0.01, 0.5
    agent = ready(Agent())
    opt = O.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    obs = torch.zeros((T, N, 17), device=dev)
    actions = torch.zeros((T, N), dtype=torch.long, device=dev)
    logprobs, rewards, dones, values = [torch.zeros((T, N), device=dev) for _ in range(4)]
    mark('buffers')
    next_obs, next_done = numbers(1, N, 17), torch.zeros(N, device=dev)
    push = numbers(2, 5, 17)
    for update in range(1, 4):
        opt.param_groups[0]['lr'] = (1.0 - (update - 1.0) / 3) * 2.5e-4
        for step in range(T):
            obs[step] = next_obs
            dones[step] = next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs, u=unit(update * 100 + step, N))
                values[step] = value.flatten()
            actions[step] = action
            logprobs[step] = logprob
            next_obs = (0.9 * next_obs + push[action]).clamp(-5, 5)
            rewards[step] = -next_obs.square().mean(-1)
            next_done = (next_obs.abs().amax(-1) > 3).float()
        mark(f'{update} rollout')
        with torch.no_grad():
            next_value = agent.get_value(next_obs).reshape(1, -1)
            advantages = torch.zeros_like(rewards).to(dev)
            lastgaelam = 0
            for t in reversed(range(T)):
                if t == T - 1:
                    nextnonterminal = 1.0 - next_done
                    nextvalues = next_value
                else:
                    nextnonterminal = 1.0 - dones[t + 1]
                    nextvalues = values[t + 1]
                delta = rewards[t] + gamma * nextvalues * nextnonterminal - values[t]
                advantages[t] = lastgaelam = delta + gamma * lam * nextnonterminal * lastgaelam
            returns = advantages + values
        mark(f'{update} advantages')
        b_obs = obs.reshape((-1,) + (17,))
        b_logprobs, b_actions = logprobs.reshape(-1), actions.reshape(-1)
        b_advantages, b_returns, b_values = advantages.reshape(-1), returns.reshape(-1), values.reshape(-1)
        clipfracs = []
        for epoch in range(2):
            b_inds = whole(epoch + update, T * N, T * N)
            for start in range(0, T * N, 64):
                mb_inds = b_inds[start:start + 64]
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[mb_inds], b_actions[mb_inds])
                logratio = newlogprob - b_logprobs[mb_inds]
                ratio = logratio.exp()
                with torch.no_grad():
                    approx_kl = ((ratio - 1) - logratio).mean()
                    clipfracs += [((ratio - 1.0).abs() > clip_coef).float().mean().item()]
                mb_advantages = b_advantages[mb_inds]
                mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
                pg_loss1 = -mb_advantages * ratio
                pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - clip_coef, 1 + clip_coef)
                pg_loss = torch.max(pg_loss1, pg_loss2).mean()
                newvalue = newvalue.view(-1)
                v_loss_unclipped = (newvalue - b_returns[mb_inds]) ** 2
                v_clipped = b_values[mb_inds] + torch.clamp(newvalue - b_values[mb_inds], -clip_coef, clip_coef)
                v_loss_clipped = (v_clipped - b_returns[mb_inds]) ** 2
                v_loss = 0.5 * torch.max(v_loss_unclipped, v_loss_clipped).mean()
                entropy_loss = entropy.mean()
                loss = pg_loss - ent_coef * entropy_loss + v_loss * vf_coef
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
            mark(f'{update} epoch {epoch}')
        explained = 1 - (b_returns - b_values).var() / b_returns.var()
        losses.append([loss.item(), v_loss.item(), pg_loss.item(), approx_kl.item(), explained.item()])
    return finish(agent.get_value(next_obs).detach())


# ---- Two towers: bags of sparse rows, one optimizer for them and one for the rest, half precision, in-batch negatives
class Tower(nn.Module):
    def __init__(self, rows, dim, dense, out=32):
        super().__init__()
        self.bag = nn.EmbeddingBag(rows, dim, mode='sum', sparse=True, padding_idx=0)
        self.cross = nn.Parameter(torch.randn(dim, dense, dim) * .05)
        self.dense_norm = nn.LayerNorm(dense)
        self.mlp = nn.Sequential(nn.Linear(dim + dense, 64), nn.ReLU(), nn.Dropout(0.), nn.Linear(64, out))

    def forward(self, ids, weights, dense):
        e = self.bag(ids, per_sample_weights=weights)
        dense = self.dense_norm(dense)
        e = e + torch.einsum('bi,oji,bj->bo', e, self.cross, dense)
        return F.normalize(self.mlp(torch.cat([e, dense], dim=1)), p=2, dim=1)


class TwoTowers(nn.Module):
    def __init__(self):
        super().__init__()
        self.user, self.item = Tower(2000, 32, 6), Tower(1000, 32, 4)
        self.bias = nn.Embedding(1000, 1, sparse=True)
        self.temperature = 0.1

    def forward(self, user, item, target, log_q):
        u, v = self.user(*user), self.item(*item)
        scores = torch.einsum('...d,nd->...n', u, v) / self.temperature + self.bias(target).squeeze(-1)
        scores = scores - log_q
        duplicate = target[:, None] == target[None, :]
        duplicate.fill_diagonal_(False)
        scores = scores.masked_fill(duplicate, -1e4)
        return scores


def two_towers():
    net = ready(TwoTowers())
    sparse = [net.user.bag.weight, net.item.bag.weight, net.bias.weight]
    names = {id(p) for p in sparse}
    opts = [O.SparseAdam(sparse, lr=1e-2), O.AdamW([p for p in net.parameters() if id(p) not in names], lr=1e-3)]
    scheds = [S.ExponentialLR(o, gamma=0.9) for o in opts]
    scaler = torch.amp.GradScaler(dev, init_scale=1024., growth_factor=2.0, backoff_factor=0.5, growth_interval=2)
    counts = torch.zeros(1000, device=dev)
    mark('optimizer')
    for step in range(3):
        users = (whole(step + 1, 1999, 48, 12), unit(step, 48, 12), numbers(step + 1, 48, 6))
        items = (whole(step + 4, 999, 48, 5), unit(step + 5, 48, 5), numbers(step + 2, 48, 4))
        target = whole(step + 6, 997, 48)
        counts.index_add_(0, target, torch.ones_like(target, dtype=torch.float))
        log_q = torch.log((counts[target] + 1) / (counts.sum() + 1))
        mark(f'{step} inputs')
        with torch.autocast(device_type=dev, dtype=torch.float16):
            scores = net(users, items, target, log_q)
            loss = F.cross_entropy(scores, torch.arange(48, device=dev))
        mark(f'{step} forward')
        for o in opts: o.zero_grad()
        scaler.scale(loss).backward()
        mark(f'{step} backward')
        for o in opts: scaler.step(o)
        scaler.update()
        for s in scheds: s.step()
        mark(f'{step} step')
        losses.append(loss.item())
        ranks = (scores.detach().float().sort(dim=1, descending=True)[1] == torch.arange(48, device=dev)[:, None]).float().argmax(dim=1)
        losses.append((1 / (ranks + 1)).mean().item())
        mark(f'{step} metric')
    net.eval()
    with torch.no_grad():
        v = net.item(*items)
        best = (net.user(*users) @ v.T + net.bias.weight[target].T).topk(5, dim=1)
    return finish(best.values)


ALL = dict(dual_encoder=dual_encoder, masked_speech=masked_speech, diffusion_policy=diffusion_policy, codec=codec, ppo=ppo, two_towers=two_towers)
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
