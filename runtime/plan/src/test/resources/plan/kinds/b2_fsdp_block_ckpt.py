import os, torch, torch.nn as nn, torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing, checkpoint_wrapper
from torch.distributed.device_mesh import init_device_mesh
os.environ.setdefault("MASTER_ADDR", "127.0.0.1"); os.environ["MASTER_PORT"] = str(20000 + os.getpid() % 20000)
os.environ.setdefault("RANK", "0"); os.environ.setdefault("WORLD_SIZE", "1"); os.environ.setdefault("LOCAL_RANK", "0")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
mesh = init_device_mesh("cuda", (dist.get_world_size(),))
torch.manual_seed(0)
layer = lambda: nn.TransformerEncoderLayer(768, 12, 3072, dropout=0.1, batch_first=True, norm_first=True)
class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.blocks, self.head = nn.Embedding(8000, 768), nn.ModuleList(layer() for _ in range(4)), nn.Linear(768, 8000, bias=False)
    def forward(self, t):
        x = self.emb(t); mask = nn.Transformer.generate_square_subsequent_mask(t.shape[1], device=t.device)
        for b in self.blocks: x = b(x, src_mask=mask, is_causal=True)
        return self.head(x)
net = LM().cuda()
apply_activation_checkpointing(net, checkpoint_wrapper_fn=checkpoint_wrapper, check_fn=lambda m: isinstance(m, nn.TransformerEncoderLayer))
for b in net.blocks: fully_shard(b, mesh=mesh, reshard_after_forward=False)
fully_shard(net, mesh=mesh)
opt = torch.optim.AdamW(net.parameters(), 3e-4)
for i in range(3):
    t = torch.randint(0, 8000, (8, 257), device="cuda")
    loss = nn.functional.cross_entropy(net(t[:, :-1]).flatten(0, 1), t[:, 1:].flatten())
    loss.backward(); torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0); opt.step(); opt.zero_grad()
dist.destroy_process_group()
