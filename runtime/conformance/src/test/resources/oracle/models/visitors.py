"""Eight more models in the style of public repositories, with marks as models.py's: usage: visitors.py MODEL OUTFILE [--exact], or visitors.py list

Written before anything of it was tried in VramLab. Numbers are made by measured.make; parameters are filled as measured.fill says, before .to(device)."""
import copy, math, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from models import *
from torch.distributions import Normal
from torch.nn.utils.parametrizations import weight_norm
torch.backends.opt_einsum.enabled = False   # PyTorch does not bring it


def numbers(k, *shape): return make('c ' + ' '.join(map(str, shape)), k)
def unit(k, *shape): return make('q ' + ' '.join(map(str, shape)), k)
def whole(k, n, *shape): return make(f'i{n} ' + ' '.join(map(str, shape)), k, False)
def ready(net): net = fill(net).to(dev); mark('model'); return net
def finish(out): mark('evaluation'); v = summary(out); del out; return v


# ---- RWKV: a language model of time mixing and channel mixing, its recurrence step by step
class L2Wrap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss, y):
        ctx.save_for_backward(y)
        return loss

    @staticmethod
    def backward(ctx, grad_output):
        y = ctx.saved_tensors[0]
        factor = 1e-4 / (y.shape[0] * y.shape[1])
        maxx, ids = torch.max(y, -1, keepdim=True)
        gy = torch.zeros_like(y)
        gy.scatter_(-1, ids, maxx * factor)
        return grad_output, gy


def wkv(w, u, k, v):
    w = -torch.exp(w)
    B, T, C = k.shape
    aa = torch.zeros(B, C, device=k.device)
    bb = torch.zeros_like(aa)
    pp = torch.full((B, C), -1e38, device=k.device)
    out = []
    for t in range(T):
        kk, vv = k[:, t], v[:, t]
        ww = u + kk
        p = torch.maximum(pp, ww)
        e1 = torch.exp(pp - p)
        e2 = torch.exp(ww - p)
        out.append((e1 * aa + e2 * vv) / (e1 * bb + e2))
        ww = pp + w
        p = torch.maximum(ww, kk)
        e1 = torch.exp(ww - p)
        e2 = torch.exp(kk - p)
        aa = e1 * aa + e2 * vv
        bb = e1 * bb + e2
        pp = p
    return torch.stack(out, dim=1)


class TimeMix(nn.Module):
    def __init__(self, n_embd, layer_id, n_layer):
        super().__init__()
        with torch.no_grad():
            ratio_0_to_1 = layer_id / (n_layer - 1)
            ratio_1_to_almost0 = 1.0 - layer_id / n_layer
            decay_speed = torch.ones(n_embd)
            for h in range(n_embd):
                decay_speed[h] = -5 + 8 * (h / (n_embd - 1)) ** (0.7 + 1.3 * ratio_0_to_1)
            self.time_decay = nn.Parameter(decay_speed)
            zigzag = torch.tensor([(i + 1) % 3 - 1 for i in range(n_embd)]) * 0.5
            self.time_first = nn.Parameter(torch.ones(n_embd) * math.log(0.3) + zigzag)
            x = torch.ones(1, 1, n_embd)
            for i in range(n_embd):
                x[0, 0, i] = i / n_embd
            self.time_mix_k = nn.Parameter(torch.pow(x, ratio_1_to_almost0))
            self.time_mix_v = nn.Parameter(torch.pow(x, ratio_1_to_almost0) + 0.3 * ratio_0_to_1)
            self.time_mix_r = nn.Parameter(torch.pow(x, 0.5 * ratio_1_to_almost0))
        self.time_shift = nn.ZeroPad2d((0, 0, 1, -1))
        self.key = nn.Linear(n_embd, n_embd, bias=False)
        self.value = nn.Linear(n_embd, n_embd, bias=False)
        self.receptance = nn.Linear(n_embd, n_embd, bias=False)
        self.output = nn.Linear(n_embd, n_embd, bias=False)

    def forward(self, x):
        xx = self.time_shift(x)
        xk = x * self.time_mix_k + xx * (1 - self.time_mix_k)
        xv = x * self.time_mix_v + xx * (1 - self.time_mix_v)
        xr = x * self.time_mix_r + xx * (1 - self.time_mix_r)
        k, v, r = self.key(xk), self.value(xv), self.receptance(xr)
        return self.output(torch.sigmoid(r) * wkv(self.time_decay, self.time_first, k, v))


class ChannelMix(nn.Module):
    def __init__(self, n_embd):
        super().__init__()
        self.time_shift = nn.ZeroPad2d((0, 0, 1, -1))
        self.time_mix_k = nn.Parameter(torch.ones(1, 1, n_embd))
        self.time_mix_r = nn.Parameter(torch.ones(1, 1, n_embd))
        self.key = nn.Linear(n_embd, 4 * n_embd, bias=False)
        self.receptance = nn.Linear(n_embd, n_embd, bias=False)
        self.value = nn.Linear(4 * n_embd, n_embd, bias=False)

    def forward(self, x):
        xx = self.time_shift(x)
        xk = x * self.time_mix_k + xx * (1 - self.time_mix_k)
        xr = x * self.time_mix_r + xx * (1 - self.time_mix_r)
        k = torch.square(torch.relu(self.key(xk)))
        return torch.sigmoid(self.receptance(xr)) * self.value(k)


class RwkvBlock(nn.Module):
    def __init__(self, n_embd, layer_id, n_layer):
        super().__init__()
        self.layer_id = layer_id
        self.ln1, self.ln2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        if layer_id == 0:
            self.ln0 = nn.LayerNorm(n_embd)
        self.att = TimeMix(n_embd, layer_id, n_layer)
        self.ffn = ChannelMix(n_embd)

    def forward(self, x):
        if self.layer_id == 0:
            x = self.ln0(x)
        x = x + self.att(self.ln1(x))
        x = x + self.ffn(self.ln2(x))
        return x


class RWKV(nn.Module):
    def __init__(self, vocab=400, n_embd=96, n_layer=2, head_qk=48, ctx_len=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, n_embd)
        self.blocks = nn.Sequential(*[RwkvBlock(n_embd, i, n_layer) for i in range(n_layer)])
        self.ln_out = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, vocab, bias=False)
        self.head_q, self.head_k = nn.Linear(n_embd, head_qk, bias=False), nn.Linear(n_embd, head_qk, bias=False)
        self.vocab = vocab
        self.register_buffer('copy_mask', torch.tril(torch.ones(ctx_len, ctx_len)))

    def forward(self, idx, targets=None):
        B, T = idx.size()
        x = self.emb(idx)
        x = self.blocks(x)
        x = self.ln_out(x)
        q, k = self.head_q(x)[:, :T, :], self.head_k(x)[:, :T, :]
        c = (q @ k.transpose(-2, -1)) * (1.0 / 48)
        c = c.masked_fill(self.copy_mask[:T, :T] == 0, 0)
        c = c @ F.one_hot(idx, num_classes=self.vocab).float()
        x = self.head(x) + c
        loss = None
        if targets is not None:
            loss = F.cross_entropy(x.view(-1, x.size(-1)), targets.to(x.device).view(-1))
            return L2Wrap.apply(loss, x)
        return x


def rwkv():
    net = ready(RWKV())
    decay, no_decay, fast = [], [], []
    for n, p in net.named_parameters():
        if 'time_decay' in n or 'time_first' in n:
            fast.append(p)
        elif p.squeeze().ndim >= 2:
            decay.append(p)
        else:
            no_decay.append(p)
    opt = O.AdamW([{'params': decay, 'weight_decay': 0.1}, {'params': no_decay}, {'params': fast, 'lr': 2e-3}], lr=6e-4, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.)
    mark('optimizer')
    for step in range(3):
        data = whole(step + 1, 397, 6, 25)
        x, y = data[:, :-1], data[:, 1:].contiguous()
        mark(f'{step} inputs')
        loss = net(x, y)
        mark(f'{step} forward')
        net.zero_grad()
        loss.backward()
        mark(f'{step} backward')
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        for g in opt.param_groups:
            g['lr'] *= 0.9
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        ctx = x[:1, :8]
        for _ in range(3):
            logits = net(ctx)[:, -1, :] / 0.8
            v, _ = torch.topk(logits, 20)
            logits[logits < v[:, [-1]]] = -float('Inf')
            probs = F.softmax(logits, dim=-1)
            ctx = torch.cat((ctx, probs.argmax(-1, keepdim=True)), dim=1)
    return finish(probs)


# ---- ConvNeXt V2: global response normalization, stochastic depth, mixed pictures, an averaged copy
class ChannelsFirst(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x):
        u = x.mean(1, keepdim=True)
        s = (x - u).pow(2).mean(1, keepdim=True)
        x = (x - u) / torch.sqrt(s + self.eps)
        x = self.weight[:, None, None] * x + self.bias[:, None, None]
        return x


class GRN(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(1, 1, 1, dim))
        self.beta = nn.Parameter(torch.zeros(1, 1, 1, dim))

    def forward(self, x):
        Gx = torch.norm(x, p=2, dim=(1, 2), keepdim=True)
        Nx = Gx / (Gx.mean(dim=-1, keepdim=True) + 1e-6)
        return self.gamma * (x * Nx) + self.beta + x


class DropPath(nn.Module):
    def __init__(self, drop_prob=0.):
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, x):
        if self.drop_prob == 0. or not self.training:
            return x
        keep_prob = 1 - self.drop_prob
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        random_tensor = x.new_empty(shape).bernoulli_(keep_prob)
        if keep_prob > 0.0:
            random_tensor.div_(keep_prob)
        return x * random_tensor


class ConvNeXtBlock(nn.Module):
    def __init__(self, dim, drop_path=0.):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.pwconv1 = nn.Linear(dim, 4 * dim)
        self.act = nn.GELU()
        self.grn = GRN(4 * dim)
        self.pwconv2 = nn.Linear(4 * dim, dim)
        self.drop_path = DropPath(drop_path) if drop_path > 0. else nn.Identity()

    def forward(self, x):
        input = x
        x = self.dwconv(x)
        x = x.permute(0, 2, 3, 1)
        x = self.norm(x)
        x = self.pwconv1(x)
        x = self.act(x)
        x = self.grn(x)
        x = self.pwconv2(x)
        x = x.permute(0, 3, 1, 2)
        return input + self.drop_path(x)


class ConvNeXtV2(nn.Module):
    def __init__(self, in_chans=3, num_classes=10, depths=(1, 1, 2), dims=(16, 32, 64), drop_path_rate=0.1):
        super().__init__()
        self.downsample_layers = nn.ModuleList()
        stem = nn.Sequential(nn.Conv2d(in_chans, dims[0], kernel_size=4, stride=4), ChannelsFirst(dims[0]))
        self.downsample_layers.append(stem)
        for i in range(2):
            self.downsample_layers.append(nn.Sequential(ChannelsFirst(dims[i]), nn.Conv2d(dims[i], dims[i + 1], kernel_size=2, stride=2)))
        self.stages = nn.ModuleList()
        dp_rates = [x.item() for x in torch.linspace(0, drop_path_rate, sum(depths))]
        cur = 0
        for i in range(3):
            self.stages.append(nn.Sequential(*[ConvNeXtBlock(dim=dims[i], drop_path=dp_rates[cur + j]) for j in range(depths[i])]))
            cur += depths[i]
        self.norm = nn.LayerNorm(dims[-1], eps=1e-6)
        self.head = nn.Linear(dims[-1], num_classes)
        self.apply(self._init_weights)
        self.head.weight.data.mul_(0.5)
        self.head.bias.data.mul_(0.5)

    def _init_weights(self, m):
        if isinstance(m, (nn.Conv2d, nn.Linear)):
            nn.init.trunc_normal_(m.weight, std=.02)
            nn.init.constant_(m.bias, 0)

    def forward_features(self, x):
        for down, stage in zip(self.downsample_layers, self.stages):
            x = stage(down(x))
        return self.norm(x.mean([-2, -1]))

    def forward(self, x):
        return self.head(self.forward_features(x))


class SoftTargetCrossEntropy(nn.Module):
    def forward(self, x, target):
        loss = torch.sum(-target * F.log_softmax(x, dim=-1), dim=-1)
        return loss.mean()


def one_hot(x, num_classes, on_value=1., off_value=0.):
    x = x.long().view(-1, 1)
    return torch.full((x.size()[0], num_classes), off_value, device=x.device).scatter_(1, x, on_value)


def mixup(x, target, num_classes, lam, smoothing=0.1):
    off = smoothing / num_classes
    on = 1. - smoothing + off
    y1, y2 = one_hot(target, num_classes, on, off), one_hot(target.flip(0), num_classes, on, off)
    flipped = x.flip(0).mul_(1. - lam)
    x.mul_(lam).add_(flipped)
    return x, y1 * lam + y2 * (1. - lam)


class ModelEma:
    def __init__(self, model, decay=0.99):
        self.module = copy.deepcopy(model)
        self.module.eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
            ema_v.copy_(self.decay * ema_v + (1. - self.decay) * model_v)


def convnextv2():
    net = ready(ConvNeXtV2())
    ema = ModelEma(net)
    mark('averaged')
    groups = {}
    for name, p in net.named_parameters():
        stage = 0 if name.startswith('downsample_layers') else int(name.split('.')[1]) if name.startswith('stages') else 3
        no_decay = p.ndim == 1 or name.endswith('.bias') or name.endswith('.gamma') or name.endswith('.beta')
        key = f'layer_{stage}_' + ('no_decay' if no_decay else 'decay')
        if key not in groups:
            groups[key] = {'params': [], 'weight_decay': 0. if no_decay else .05, 'lr': 1e-3 * 0.8 ** (3 - stage)}
        groups[key]['params'].append(p)
    opt = O.AdamW(list(groups.values()), lr=1e-3)
    criterion = SoftTargetCrossEntropy()
    mark('optimizer')
    for step in range(3):
        x, target = unit(step + 1, 8, 3, 64, 64), whole(step, 10, 8)
        x, target = mixup(x, target, 10, 0.7)
        mark(f'{step} inputs')
        out = net(x)
        loss = criterion(out, target)
        mark(f'{step} forward')
        loss /= 2
        loss.backward()
        mark(f'{step} backward')
        if step > 0:
            grads = [p.grad for p in net.parameters() if p.grad is not None]
            total = torch.norm(torch.stack([torch.norm(g.detach(), 2.0) for g in grads]), 2.0)
            opt.step()
            opt.zero_grad()
            ema.update(net)
        mark(f'{step} step')
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        out = ema.module(x)
        out = (out + net(x.flip(-1))) / 2
    return finish(out.softmax(-1))


# ---- MAE: patches hidden at random, an encoder of the rest, a decoder of all, in bfloat16, gradients of two batches
class PatchEmbed(nn.Module):
    def __init__(self, img_size, patch_size, in_chans, embed_dim):
        super().__init__()
        self.num_patches = (img_size // patch_size) ** 2
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2)


class VitBlock(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads, self.scale = num_heads, (dim // num_heads) ** -0.5
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps=1e-6), nn.LayerNorm(dim, eps=1e-6)
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 4), nn.GELU(), nn.Linear(dim * 4, dim))

    def attn(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def sincos_1d(embed_dim, pos):
    omega = torch.arange(embed_dim // 2, dtype=torch.float64)
    omega /= embed_dim / 2.
    omega = 1. / 10000 ** omega
    out = torch.einsum('m,d->md', pos.reshape(-1).double(), omega)
    return torch.cat([torch.sin(out), torch.cos(out)], dim=1)


def sincos_2d(embed_dim, grid_size):
    h, w = torch.arange(grid_size).float(), torch.arange(grid_size).float()
    grid = torch.stack(torch.meshgrid(w, h, indexing='xy'), dim=0)
    emb = torch.cat([sincos_1d(embed_dim // 2, grid[0]), sincos_1d(embed_dim // 2, grid[1])], dim=1)
    return torch.cat([torch.zeros(1, embed_dim), emb], dim=0)


class MaskedAutoencoder(nn.Module):
    def __init__(self, img=32, patch=4, dim=64, depth=2, heads=4, ddim=32, ddepth=1):
        super().__init__()
        self.patch = patch
        self.patch_embed = PatchEmbed(img, patch, 3, dim)
        n = self.patch_embed.num_patches
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.zeros(1, n + 1, dim), requires_grad=False)
        self.blocks = nn.ModuleList([VitBlock(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.decoder_embed = nn.Linear(dim, ddim, bias=True)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, ddim))
        self.decoder_pos_embed = nn.Parameter(torch.zeros(1, n + 1, ddim), requires_grad=False)
        self.decoder_blocks = nn.ModuleList([VitBlock(ddim, 2) for _ in range(ddepth)])
        self.decoder_norm = nn.LayerNorm(ddim, eps=1e-6)
        self.decoder_pred = nn.Linear(ddim, patch ** 2 * 3, bias=True)
        self.pos_embed.data.copy_(sincos_2d(dim, int(n ** .5)).float().unsqueeze(0))
        self.decoder_pos_embed.data.copy_(sincos_2d(ddim, int(n ** .5)).float().unsqueeze(0))
        w = self.patch_embed.proj.weight.data
        nn.init.xavier_uniform_(w.view([w.shape[0], -1]))
        nn.init.normal_(self.cls_token, std=.02)
        nn.init.normal_(self.mask_token, std=.02)

    def patchify(self, imgs):
        p = self.patch
        h = w = imgs.shape[2] // p
        x = imgs.reshape(shape=(imgs.shape[0], 3, h, p, w, p))
        x = torch.einsum('nchpwq->nhwpqc', x)
        return x.reshape(shape=(imgs.shape[0], h * w, p ** 2 * 3))

    def random_masking(self, x, mask_ratio, noise):
        N, L, D = x.shape
        len_keep = int(L * (1 - mask_ratio))
        ids_shuffle = torch.argsort(noise, dim=1)
        ids_restore = torch.argsort(ids_shuffle, dim=1)
        ids_keep = ids_shuffle[:, :len_keep]
        x_masked = torch.gather(x, dim=1, index=ids_keep.unsqueeze(-1).repeat(1, 1, D))
        mask = torch.ones([N, L], device=x.device)
        mask[:, :len_keep] = 0
        mask = torch.gather(mask, dim=1, index=ids_restore)
        return x_masked, mask, ids_restore

    def forward_encoder(self, x, mask_ratio, noise):
        x = self.patch_embed(x)
        x = x + self.pos_embed[:, 1:, :]
        x, mask, ids_restore = self.random_masking(x, mask_ratio, noise)
        cls_token = self.cls_token + self.pos_embed[:, :1, :]
        cls_tokens = cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat((cls_tokens, x), dim=1)
        for blk in self.blocks:
            x = blk(x)
        return self.norm(x), mask, ids_restore

    def forward_decoder(self, x, ids_restore):
        x = self.decoder_embed(x)
        mask_tokens = self.mask_token.repeat(x.shape[0], ids_restore.shape[1] + 1 - x.shape[1], 1)
        x_ = torch.cat([x[:, 1:, :], mask_tokens.type_as(x)], dim=1)
        x_ = torch.gather(x_, dim=1, index=ids_restore.unsqueeze(-1).repeat(1, 1, x.shape[2]))
        x = torch.cat([x[:, :1, :], x_], dim=1)
        x = x + self.decoder_pos_embed
        for blk in self.decoder_blocks:
            x = blk(x)
        x = self.decoder_pred(self.decoder_norm(x))
        return x[:, 1:, :]

    def forward_loss(self, imgs, pred, mask):
        target = self.patchify(imgs)
        mean = target.mean(dim=-1, keepdim=True)
        var = target.var(dim=-1, keepdim=True)
        target = (target - mean) / (var + 1.e-6) ** .5
        loss = (pred - target) ** 2
        loss = loss.mean(dim=-1)
        return (loss * mask).sum() / mask.sum()

    def forward(self, imgs, noise, mask_ratio=0.75):
        latent, mask, ids_restore = self.forward_encoder(imgs, mask_ratio, noise)
        pred = self.forward_decoder(latent, ids_restore)
        return self.forward_loss(imgs, pred, mask), pred, mask


def mae():
    net = ready(MaskedAutoencoder())
    decay = [p for p in net.parameters() if p.requires_grad and p.dim() > 1]
    rest = [p for p in net.parameters() if p.requires_grad and p.dim() <= 1]
    opt = O.AdamW([{'params': rest, 'weight_decay': 0.}, {'params': decay, 'weight_decay': .05}], lr=1.5e-4, betas=(0.9, 0.95))
    mark('optimizer')
    accum = 2
    for step in range(3):
        for group in opt.param_groups:
            group['lr'] = 1.5e-4 * 0.5 * (1. + math.cos(math.pi * step / 3))
        opt.zero_grad()
        for it in range(accum):
            samples, noise = numbers(step * accum + it + 1, 8, 3, 32, 32), unit(step * accum + it + 50, 8, 64)
            mark(f'{step} inputs {it}')
            with torch.autocast(dev, dtype=torch.bfloat16):
                loss, _, _ = net(samples, noise, mask_ratio=0.75)
            loss_value = loss.item()
            losses.append(loss_value)
            loss = loss / accum
            mark(f'{step} forward {it}')
            loss.backward()
            mark(f'{step} backward {it}')
        opt.step()
        mark(f'{step} step')
    net.eval()
    with torch.no_grad():
        _, y, mask = net(samples, noise, 0.5)
        mask = mask.detach().unsqueeze(-1).repeat(1, 1, 48)
        paste = net.patchify(samples) * (1 - mask) + y * mask
    return finish(paste)


# ---- TCN: dilated causal convolutions with normalized weights remember a sequence
class Chomp1d(nn.Module):
    def __init__(self, chomp_size):
        super().__init__()
        self.chomp_size = chomp_size

    def forward(self, x):
        return x[:, :, :-self.chomp_size].contiguous()


class TemporalBlock(nn.Module):
    def __init__(self, n_inputs, n_outputs, kernel_size, stride, dilation, padding, dropout=0.0):
        super().__init__()
        self.conv1 = weight_norm(nn.Conv1d(n_inputs, n_outputs, kernel_size, stride=stride, padding=padding, dilation=dilation))
        self.chomp1, self.relu1, self.dropout1 = Chomp1d(padding), nn.ReLU(), nn.Dropout(dropout)
        self.conv2 = weight_norm(nn.Conv1d(n_outputs, n_outputs, kernel_size, stride=stride, padding=padding, dilation=dilation))
        self.chomp2, self.relu2, self.dropout2 = Chomp1d(padding), nn.ReLU(), nn.Dropout(dropout)
        self.net = nn.Sequential(self.conv1, self.chomp1, self.relu1, self.dropout1, self.conv2, self.chomp2, self.relu2, self.dropout2)
        self.downsample = nn.Conv1d(n_inputs, n_outputs, 1) if n_inputs != n_outputs else None
        self.relu = nn.ReLU()
        self.init_weights()

    def init_weights(self):
        self.conv1.weight.data.normal_(0, 0.01)
        self.conv2.weight.data.normal_(0, 0.01)
        if self.downsample is not None:
            self.downsample.weight.data.normal_(0, 0.01)

    def forward(self, x):
        out = self.net(x)
        res = x if self.downsample is None else self.downsample(x)
        return self.relu(out + res)


class TemporalConvNet(nn.Module):
    def __init__(self, num_inputs, num_channels, kernel_size=2, dropout=0.0):
        super().__init__()
        layers = []
        for i, out_channels in enumerate(num_channels):
            dilation = 2 ** i
            layers += [TemporalBlock(num_inputs if i == 0 else num_channels[i - 1], out_channels, kernel_size, stride=1, dilation=dilation, padding=(kernel_size - 1) * dilation, dropout=dropout)]
        self.network = nn.Sequential(*layers)

    def forward(self, x):
        return self.network(x)


class Tcn(nn.Module):
    def __init__(self, input_size=1, output_size=10, num_channels=(16, 16, 24), kernel_size=4):
        super().__init__()
        self.tcn = TemporalConvNet(input_size, num_channels, kernel_size)
        self.linear = nn.Linear(num_channels[-1], output_size)
        self.linear.weight.data.normal_(0, 0.01)

    def forward(self, x):
        return self.linear(self.tcn(x).transpose(1, 2))


def tcn():
    net = ready(Tcn())
    criterion = nn.CrossEntropyLoss()
    opt = O.RMSprop(net.parameters(), lr=5e-4)
    mark('optimizer')
    correct, counter = 0, 0
    for step in range(3):
        seq = whole(step, 8, 16, 10) + 1
        blank = torch.zeros(16, 49, dtype=torch.long, device=dev)
        marker = 9 * torch.ones(16, 11, dtype=torch.long, device=dev)
        x = torch.cat((seq, blank, marker), 1)
        y = torch.cat((torch.zeros(16, 60, dtype=torch.long, device=dev), seq), 1)
        mark(f'{step} inputs')
        opt.zero_grad()
        out = net(x.unsqueeze(1).float().contiguous())
        loss = criterion(out.view(-1, 10), y.view(-1))
        mark(f'{step} forward')
        pred = out.view(-1, 10).data.max(1, keepdim=True)[1]
        correct += pred.eq(y.data.view_as(pred)).cpu().sum()
        counter += out.view(-1, 10).size(0)
        mark(f'{step} counted')
        loss.backward()
        mark(f'{step} backward')
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item())
        losses.append(100. * correct.item() / counter)
    net.eval()
    with torch.no_grad():
        out = net(x.unsqueeze(1).float().contiguous())
        loss = criterion(out.view(-1, 10), y.view(-1))
    return finish(out)


# ---- DeepAR: an LSTM, a step at a time, tells the distribution of the next value; what was missing is sampled
class DeepAR(nn.Module):
    def __init__(self, num_class=30, embedding_dim=8, cov_dim=4, hidden=32, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.embedding = nn.Embedding(num_class, embedding_dim)
        self.lstm = nn.LSTM(input_size=1 + cov_dim + embedding_dim, hidden_size=hidden, num_layers=layers, bias=True, batch_first=False, dropout=0.0)
        for names in self.lstm._all_weights:
            for name in filter(lambda n: 'bias' in n, names):
                bias = getattr(self.lstm, name)
                n = bias.size(0)
                bias.data[n // 4:n // 2].fill_(1.)
        self.relu = nn.ReLU()
        self.distribution_mu = nn.Linear(hidden * layers, 1)
        self.distribution_presigma = nn.Linear(hidden * layers, 1)
        self.distribution_sigma = nn.Softplus()

    def forward(self, x, idx, hidden, cell):
        onehot_embed = self.embedding(idx)
        lstm_input = torch.cat((x, onehot_embed), dim=2)
        output, (hidden, cell) = self.lstm(lstm_input, (hidden, cell))
        hidden_permute = hidden.permute(1, 2, 0).contiguous().view(hidden.shape[1], -1)
        pre_sigma = self.distribution_presigma(hidden_permute)
        mu = self.distribution_mu(hidden_permute)
        sigma = self.distribution_sigma(pre_sigma)
        return torch.squeeze(mu), torch.squeeze(sigma), hidden, cell

    def init_hidden(self, n):
        return torch.zeros(self.layers, n, self.hidden, device=dev)

    init_cell = init_hidden

    def test(self, x, v_batch, id_batch, hidden, cell, start, steps, samples):
        batch_size = x.shape[1]
        out = torch.zeros(samples, batch_size, steps, device=dev)
        for j in range(samples):
            decoder_hidden, decoder_cell = hidden, cell
            for t in range(steps):
                mu_de, sigma_de, decoder_hidden, decoder_cell = self(x[start + t].unsqueeze(0), id_batch, decoder_hidden, decoder_cell)
                gaussian = Normal(mu_de, sigma_de)
                pred = gaussian.sample()
                out[j, :, t] = pred * v_batch[:, 0] + v_batch[:, 1]
                if t < steps - 1:
                    x[start + t + 1, :, 0] = pred
        sample_mu = torch.median(out, dim=0)[0]
        sample_sigma = out.std(dim=0)
        return out, sample_mu, sample_sigma


def loss_fn(mu, sigma, labels):
    zero_index = (labels != 0)
    distribution = Normal(mu[zero_index], sigma[zero_index])
    likelihood = distribution.log_prob(labels[zero_index])
    return -torch.mean(likelihood)


def deepar():
    net = ready(DeepAR())
    opt = O.Adam(net.parameters(), lr=1e-3)
    mark('optimizer')
    for step in range(3):
        opt.zero_grad()
        batch_size, window = 12, 10
        train_batch = numbers(step + 1, batch_size, window, 5).permute(1, 0, 2).to(torch.float32).to(dev)
        labels_batch = numbers(step + 2, batch_size, window).permute(1, 0).to(torch.float32).to(dev)
        labels_batch[labels_batch < -0.4] = 0
        train_batch[3, :6, 0] = 0
        idx = whole(step, 30, batch_size).unsqueeze(0).to(dev)
        mark(f'{step} inputs')
        loss = torch.zeros(1, device=dev)
        hidden, cell = net.init_hidden(batch_size), net.init_cell(batch_size)
        for t in range(window):
            zero_index = (train_batch[t, :, 0] == 0)
            if t > 0 and torch.sum(zero_index) > 0:
                train_batch[t, zero_index, 0] = mu[zero_index]
            mu, sigma, hidden, cell = net(train_batch[t].unsqueeze_(0).clone(), idx, hidden, cell)
            loss += loss_fn(mu, sigma, labels_batch[t])
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        loss = loss.item() / window
        mark(f'{step} step')
        losses.append(loss)
    net.eval()
    with torch.no_grad():
        test_batch, v = numbers(9, 10, 12, 5), unit(10, 12, 2)
        hidden, cell = net.init_hidden(12), net.init_cell(12)
        input_mu = torch.zeros(12, 5, device=dev)
        for t in range(5):
            mu, sigma, hidden, cell = net(test_batch[t].unsqueeze(0), idx, hidden, cell)
            input_mu[:, t] = v[:, 0] * mu + v[:, 1]
        samples, sample_mu, sample_sigma = net.test(test_batch, v, idx, hidden, cell, 5, 4, 3)
        mark('sampled')
        rmse = (sample_mu - unit(11, 12, 4)).pow(2).mean().sqrt()
    return finish(input_mu)


# ---- EGNN: a graph network that moves with its coordinates
def unsorted_segment_sum(data, segment_ids, num_segments):
    result_shape = (num_segments, data.size(1))
    result = data.new_full(result_shape, 0)
    segment_ids = segment_ids.unsqueeze(-1).expand(-1, data.size(1))
    result.scatter_add_(0, segment_ids, data)
    return result


def unsorted_segment_mean(data, segment_ids, num_segments):
    result_shape = (num_segments, data.size(1))
    segment_ids = segment_ids.unsqueeze(-1).expand(-1, data.size(1))
    result = data.new_full(result_shape, 0)
    count = data.new_full(result_shape, 0)
    result.scatter_add_(0, segment_ids, data)
    count.scatter_add_(0, segment_ids, torch.ones_like(data))
    return result / count.clamp(min=1)


class E_GCL(nn.Module):
    def __init__(self, input_nf, output_nf, hidden_nf, edges_in_d=2, act_fn=nn.SiLU(), attention=True, coords_weight=1.0, tanh=True):
        super().__init__()
        self.attention, self.epsilon = attention, 1e-8
        self.edge_mlp = nn.Sequential(nn.Linear(input_nf * 2 + 1 + edges_in_d, hidden_nf), act_fn, nn.Linear(hidden_nf, hidden_nf), act_fn)
        self.node_mlp = nn.Sequential(nn.Linear(hidden_nf + input_nf, hidden_nf), act_fn, nn.Linear(hidden_nf, output_nf))
        layer = nn.Linear(hidden_nf, 1, bias=False)
        torch.nn.init.xavier_uniform_(layer.weight, gain=0.001)
        coord_mlp = []
        coord_mlp.append(nn.Linear(hidden_nf, hidden_nf))
        coord_mlp.append(act_fn)
        coord_mlp.append(layer)
        if tanh:
            coord_mlp.append(nn.Tanh())
        self.coord_mlp = nn.Sequential(*coord_mlp)
        if self.attention:
            self.att_mlp = nn.Sequential(nn.Linear(hidden_nf, 1), nn.Sigmoid())
        self.coord_mlp_vel = nn.Sequential(nn.Linear(input_nf, hidden_nf), act_fn, nn.Linear(hidden_nf, 1))

    def edge_model(self, source, target, radial, edge_attr):
        out = torch.cat([source, target, radial, edge_attr], dim=1)
        out = self.edge_mlp(out)
        if self.attention:
            att_val = self.att_mlp(out)
            out = out * att_val
        return out

    def node_model(self, x, edge_index, edge_attr):
        row, col = edge_index
        agg = unsorted_segment_sum(edge_attr, row, num_segments=x.size(0))
        agg = torch.cat([x, agg], dim=1)
        out = self.node_mlp(agg)
        return x + out

    def coord_model(self, coord, edge_index, coord_diff, edge_feat):
        row, col = edge_index
        trans = coord_diff * self.coord_mlp(edge_feat)
        trans = torch.clamp(trans, min=-100, max=100)
        agg = unsorted_segment_mean(trans, row, num_segments=coord.size(0))
        return coord + agg

    def coord2radial(self, edge_index, coord):
        row, col = edge_index
        coord_diff = coord[row] - coord[col]
        radial = torch.sum(coord_diff ** 2, 1).unsqueeze(1)
        norm = torch.sqrt(radial).detach() + self.epsilon
        coord_diff = coord_diff / norm
        return radial, coord_diff

    def forward(self, h, edge_index, coord, vel, edge_attr):
        row, col = edge_index
        radial, coord_diff = self.coord2radial(edge_index, coord)
        edge_feat = self.edge_model(h[row], h[col], radial, edge_attr)
        coord = self.coord_model(coord, edge_index, coord_diff, edge_feat)
        coord = coord + self.coord_mlp_vel(h) * vel
        h = self.node_model(h, edge_index, edge_feat)
        return h, coord


class EGNN(nn.Module):
    def __init__(self, in_node_nf=1, hidden_nf=32, n_layers=3):
        super().__init__()
        self.n_layers = n_layers
        self.embedding_in = nn.Linear(in_node_nf, hidden_nf)
        for i in range(n_layers):
            self.add_module('gcl_%d' % i, E_GCL(hidden_nf, hidden_nf, hidden_nf))

    def forward(self, h, x, edges, vel, edge_attr):
        h = self.embedding_in(h)
        for i in range(self.n_layers):
            h, x = self._modules['gcl_%d' % i](h, edges, x, vel, edge_attr)
        return x


def edges_of(n_nodes, batch_size):
    rows, cols = [], []
    for i in range(n_nodes):
        for j in range(n_nodes):
            if i != j:
                rows.append(i)
                cols.append(j)
    edges = [torch.LongTensor(rows), torch.LongTensor(cols)]
    if batch_size == 1:
        return edges
    rows, cols = [], []
    for i in range(batch_size):
        rows.append(edges[0] + n_nodes * i)
        cols.append(edges[1] + n_nodes * i)
    return [torch.cat(rows), torch.cat(cols)]


def egnn():
    net = ready(EGNN())
    opt = O.Adam(net.parameters(), lr=5e-4, weight_decay=1e-12)
    criterion = nn.MSELoss()
    mark('optimizer')
    n, batch = 5, 10
    for step in range(3):
        data = [numbers(step + k, batch, n, 3) for k in range(3)] + [(numbers(step + 4, batch, n, 1) > 0).float() * 2 - 1]
        data = [d.view(-1, d.size(2)) for d in data]
        loc, vel, loc_end, charges = data
        edges = edges_of(n, batch)
        edges = [edges[0].to(dev), edges[1].to(dev)]
        mark(f'{step} inputs')
        opt.zero_grad()
        nodes = torch.sqrt(torch.sum(vel ** 2, dim=1)).unsqueeze(1).detach()
        rows, cols = edges
        loc_dist = torch.sum((loc[rows] - loc[cols]) ** 2, 1).unsqueeze(1)
        edge_attr = torch.cat([charges[rows] * charges[cols], loc_dist], 1).detach()
        loc_pred = net(nodes, loc.detach(), edges, vel, edge_attr)
        loss = criterion(loc_pred, loc_end)
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        mark(f'{step} step')
        losses.append(loss.item() * batch)
    net.eval()
    with torch.no_grad():
        loc_pred = net(nodes, loc, edges, vel, edge_attr)
        err = (loc_pred - loc_end).view(batch, n, 3).norm(dim=-1).mean(1)
    return finish(err)


# ---- KAN: layers whose weights are splines, fitted by least squares, with a grid that follows the data
class KANLinear(nn.Module):
    def __init__(self, in_features, out_features, grid_size=5, spline_order=3, scale_noise=0.1, scale_base=1.0, scale_spline=1.0, base_activation=nn.SiLU, grid_eps=0.02, grid_range=[-1, 1]):
        super().__init__()
        self.in_features, self.out_features, self.grid_size, self.spline_order = in_features, out_features, grid_size, spline_order
        h = (grid_range[1] - grid_range[0]) / grid_size
        grid = (torch.arange(-spline_order, grid_size + spline_order + 1) * h + grid_range[0]).expand(in_features, -1).contiguous()
        self.register_buffer('grid', grid)
        self.base_weight = nn.Parameter(torch.Tensor(out_features, in_features))
        self.spline_weight = nn.Parameter(torch.Tensor(out_features, in_features, grid_size + spline_order))
        self.spline_scaler = nn.Parameter(torch.Tensor(out_features, in_features))
        self.scale_noise, self.scale_base, self.scale_spline = scale_noise, scale_base, scale_spline
        self.base_activation = base_activation()
        self.grid_eps = grid_eps
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.base_weight, a=math.sqrt(5) * self.scale_base)
        with torch.no_grad():
            noise = (torch.rand(self.grid_size + 1, self.in_features, self.out_features) - 1 / 2) * self.scale_noise / self.grid_size
            self.spline_weight.data.copy_(self.curve2coeff(self.grid.T[self.spline_order:-self.spline_order], noise))
            nn.init.kaiming_uniform_(self.spline_scaler, a=math.sqrt(5) * self.scale_spline)

    def b_splines(self, x):
        grid = self.grid
        x = x.unsqueeze(-1)
        bases = ((x >= grid[:, :-1]) & (x < grid[:, 1:])).to(x.dtype)
        for k in range(1, self.spline_order + 1):
            bases = ((x - grid[:, :-(k + 1)]) / (grid[:, k:-1] - grid[:, :-(k + 1)]) * bases[:, :, :-1]) + ((grid[:, k + 1:] - x) / (grid[:, k + 1:] - grid[:, 1:(-k)]) * bases[:, :, 1:])
        return bases.contiguous()

    def curve2coeff(self, x, y):
        A = self.b_splines(x).transpose(0, 1)
        B = y.transpose(0, 1)
        solution = torch.linalg.lstsq(A, B).solution
        result = solution.permute(2, 0, 1)
        return result.contiguous()

    @property
    def scaled_spline_weight(self):
        return self.spline_weight * self.spline_scaler.unsqueeze(-1)

    def forward(self, x):
        original_shape = x.shape
        x = x.reshape(-1, self.in_features)
        base_output = F.linear(self.base_activation(x), self.base_weight)
        spline_output = F.linear(self.b_splines(x).view(x.size(0), -1), self.scaled_spline_weight.view(self.out_features, -1))
        output = base_output + spline_output
        return output.reshape(*original_shape[:-1], self.out_features)

    @torch.no_grad()
    def update_grid(self, x, margin=0.01):
        batch = x.size(0)
        splines = self.b_splines(x)
        splines = splines.permute(1, 0, 2)
        orig_coeff = self.scaled_spline_weight
        orig_coeff = orig_coeff.permute(1, 2, 0)
        unreduced_spline_output = torch.bmm(splines, orig_coeff)
        unreduced_spline_output = unreduced_spline_output.permute(1, 0, 2)
        x_sorted = torch.sort(x, dim=0)[0]
        grid_adaptive = x_sorted[torch.linspace(0, batch - 1, self.grid_size + 1, dtype=torch.int64, device=x.device)]
        uniform_step = (x_sorted[-1] - x_sorted[0] + 2 * margin) / self.grid_size
        grid_uniform = torch.arange(self.grid_size + 1, dtype=torch.float32, device=x.device).unsqueeze(1) * uniform_step + x_sorted[0] - margin
        grid = self.grid_eps * grid_uniform + (1 - self.grid_eps) * grid_adaptive
        grid = torch.concatenate([grid[:1] - uniform_step * torch.arange(self.spline_order, 0, -1, device=x.device).unsqueeze(1), grid, grid[-1:] + uniform_step * torch.arange(1, self.spline_order + 1, device=x.device).unsqueeze(1)], dim=0)
        self.grid.copy_(grid.T)
        self.spline_weight.data.copy_(self.curve2coeff(x, unreduced_spline_output))

    def regularization_loss(self, regularize_activation=1.0, regularize_entropy=1.0):
        l1_fake = self.spline_weight.abs().mean(-1)
        regularization_loss_activation = l1_fake.sum()
        p = l1_fake / regularization_loss_activation
        regularization_loss_entropy = -torch.sum(p * p.log())
        return regularize_activation * regularization_loss_activation + regularize_entropy * regularization_loss_entropy


class KAN(nn.Module):
    def __init__(self, layers_hidden=(6, 12, 4)):
        super().__init__()
        self.layers = nn.ModuleList()
        for in_features, out_features in zip(layers_hidden, layers_hidden[1:]):
            self.layers.append(KANLinear(in_features, out_features))

    def forward(self, x, update_grid=False):
        for layer in self.layers:
            if update_grid:
                layer.update_grid(x)
            x = layer(x)
        return x

    def regularization_loss(self):
        return sum(layer.regularization_loss() for layer in self.layers)


def kan():
    net = ready(KAN())
    opt = O.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    sched = O.lr_scheduler.ExponentialLR(opt, gamma=0.8)
    criterion = nn.CrossEntropyLoss()
    mark('optimizer')
    for step in range(3):
        x, labels = numbers(step + 1, 64, 6) * 2, whole(step, 4, 64)
        mark(f'{step} inputs')
        opt.zero_grad()
        output = net(x, update_grid=step == 1)
        mark(f'{step} outputs')
        loss = criterion(output, labels) + 1e-3 * net.regularization_loss()
        mark(f'{step} forward')
        loss.backward()
        mark(f'{step} backward')
        opt.step()
        sched.step()
        mark(f'{step} step')
        accuracy = (output.argmax(dim=1) == labels).float().mean()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        output = net(x)
    return finish(output)


# ---- Rainbow: noisy layers, a dueling head, distributions of returns, a target network, priorities
class NoisyLinear(nn.Module):
    def __init__(self, in_features, out_features, std_init=0.5):
        super().__init__()
        self.in_features, self.out_features, self.std_init = in_features, out_features, std_init
        self.weight_mu = nn.Parameter(torch.empty(out_features, in_features))
        self.weight_sigma = nn.Parameter(torch.empty(out_features, in_features))
        self.register_buffer('weight_epsilon', torch.empty(out_features, in_features))
        self.bias_mu = nn.Parameter(torch.empty(out_features))
        self.bias_sigma = nn.Parameter(torch.empty(out_features))
        self.register_buffer('bias_epsilon', torch.empty(out_features))
        self.reset_parameters()
        self.reset_noise()

    def reset_parameters(self):
        mu_range = 1 / math.sqrt(self.in_features)
        self.weight_mu.data.uniform_(-mu_range, mu_range)
        self.weight_sigma.data.fill_(self.std_init / math.sqrt(self.in_features))
        self.bias_mu.data.uniform_(-mu_range, mu_range)
        self.bias_sigma.data.fill_(self.std_init / math.sqrt(self.out_features))

    def _scale_noise(self, size):
        x = torch.randn(size, device=self.weight_mu.device)
        return x.sign().mul_(x.abs().sqrt_())

    def reset_noise(self):
        epsilon_in = self._scale_noise(self.in_features)
        epsilon_out = self._scale_noise(self.out_features)
        self.weight_epsilon.copy_(epsilon_out.ger(epsilon_in))
        self.bias_epsilon.copy_(epsilon_out)

    def forward(self, input):
        if self.training:
            return F.linear(input, self.weight_mu + self.weight_sigma * self.weight_epsilon, self.bias_mu + self.bias_sigma * self.bias_epsilon)
        return F.linear(input, self.weight_mu, self.bias_mu)


class DQN(nn.Module):
    def __init__(self, action_space=4, atoms=21):
        super().__init__()
        self.atoms, self.action_space = atoms, action_space
        self.convs = nn.Sequential(nn.Conv2d(4, 16, 5, stride=5, padding=0), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2, padding=0), nn.ReLU())
        self.conv_output_size = 288
        self.fc_h_v = NoisyLinear(self.conv_output_size, 64)
        self.fc_h_a = NoisyLinear(self.conv_output_size, 64)
        self.fc_z_v = NoisyLinear(64, self.atoms)
        self.fc_z_a = NoisyLinear(64, action_space * self.atoms)

    def forward(self, x, log=False):
        x = self.convs(x)
        x = x.view(-1, self.conv_output_size)
        v = self.fc_z_v(F.relu(self.fc_h_v(x)))
        a = self.fc_z_a(F.relu(self.fc_h_a(x)))
        v, a = v.view(-1, 1, self.atoms), a.view(-1, self.action_space, self.atoms)
        q = v + a - a.mean(1, keepdim=True)
        if log:
            return F.log_softmax(q, dim=2)
        return F.softmax(q, dim=2)

    def reset_noise(self):
        for name, module in self.named_children():
            if 'fc' in name:
                module.reset_noise()


def rainbow():
    atoms, Vmin, Vmax, batch_size, n, discount = 21, -2, 2, 16, 3, 0.9
    online_net = ready(DQN(atoms=atoms))
    online_net.train()
    target_net = DQN(atoms=atoms).to(device=dev)
    target_net.load_state_dict(online_net.state_dict())
    target_net.train()
    for param in target_net.parameters():
        param.requires_grad = False
    support = torch.linspace(Vmin, Vmax, atoms).to(device=dev)
    delta_z = (Vmax - Vmin) / (atoms - 1)
    opt = O.Adam(online_net.parameters(), lr=1e-4, eps=1.5e-4)
    mark('optimizer')
    for step in range(3):
        states, next_states = unit(step + 1, batch_size, 4, 42, 42), unit(step + 2, batch_size, 4, 42, 42)
        actions, returns = whole(step, 4, batch_size), numbers(step + 3, batch_size) * 3
        nonterminals = (unit(step + 4, batch_size, 1) > .2).to(torch.float32)
        weights = unit(step + 5, batch_size)
        online_net.reset_noise()
        mark(f'{step} inputs')
        log_ps = online_net(states, log=True)
        log_ps_a = log_ps[range(batch_size), actions]
        with torch.no_grad():
            pns = online_net(next_states)
            dns = support.expand_as(pns) * pns
            argmax_indices_ns = dns.sum(2).argmax(1)
            target_net.reset_noise()
            pns = target_net(next_states)
            pns_a = pns[range(batch_size), argmax_indices_ns]
            Tz = returns.unsqueeze(1) + nonterminals * (discount ** n) * support.unsqueeze(0)
            Tz = Tz.clamp(min=Vmin, max=Vmax)
            b = (Tz - Vmin) / delta_z
            l, u = b.floor().to(torch.int64), b.ceil().to(torch.int64)
            l[(u > 0) * (l == u)] -= 1
            u[(l < (atoms - 1)) * (l == u)] += 1
            m = states.new_zeros(batch_size, atoms)
            offset = torch.linspace(0, (batch_size - 1) * atoms, batch_size).unsqueeze(1).expand(batch_size, atoms).to(actions)
            m.view(-1).index_add_(0, (l + offset).view(-1), (pns_a * (u.float() - b)).view(-1))
            m.view(-1).index_add_(0, (u + offset).view(-1), (pns_a * (b - l.float())).view(-1))
        loss = -torch.sum(m * log_ps_a, 1)
        mark(f'{step} forward')
        online_net.zero_grad()
        (weights * loss).mean().backward()
        mark(f'{step} backward')
        nn.utils.clip_grad_norm_(online_net.parameters(), 10.)
        opt.step()
        mark(f'{step} step')
        priorities = loss.detach().cpu().numpy()
        losses.append(float(priorities.mean()))
        if step == 1:
            target_net.load_state_dict(online_net.state_dict())
    online_net.eval()
    with torch.no_grad():
        q = (online_net(states[0].unsqueeze(0)) * support).sum(2)
        action = q.argmax(1).item()
    return finish(q)


ALL = dict(rwkv=rwkv, convnextv2=convnextv2, mae=mae, tcn=tcn, deepar=deepar, egnn=egnn, kan=kan, rainbow=rainbow)
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
