import os, functools, torch, torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.models.gpt2.modeling_gpt2 import GPT2Block
os.environ.setdefault("MASTER_ADDR", "127.0.0.1"); os.environ["MASTER_PORT"] = str(20000 + os.getpid() % 20000)
os.environ.setdefault("RANK", "0"); os.environ.setdefault("WORLD_SIZE", "1")
torch.cuda.set_device(0); dist.init_process_group("nccl"); torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_embd=512, n_head=8, vocab_size=10000))
model = FSDP(model, auto_wrap_policy=functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={GPT2Block}), device_id=torch.cuda.current_device(), use_orig_params=True, sharding_strategy=ShardingStrategy.FULL_SHARD)
opt = torch.optim.AdamW(model.parameters(), 1e-4)
for i in range(3):
    t = torch.randint(0, 10000, (8, 256), device="cuda")
    loss = model(input_ids=t, labels=t).loss
    loss.backward(); model.clip_grad_norm_(1.0); opt.step(); opt.zero_grad()
dist.destroy_process_group()
