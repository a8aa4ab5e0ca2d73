# limit: 1.3
import torch
from transformers import GPT2Config, GPT2LMHeadModel

ACCUM = 8


def main():
    torch.manual_seed(0)
    cfg = GPT2Config(vocab_size=6000, n_embd=384, n_layer=6, n_head=6, n_positions=256,
                     bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(cfg).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    running = torch.zeros((), device="cuda")
    log = []
    for step in range(12):
        step_losses = []
        for micro in range(ACCUM):
            ids = torch.randint(0, cfg.vocab_size, (4, 256), device="cuda")
            loss = model(ids, labels=ids).loss / ACCUM
            loss.backward()
            running += loss.detach()
            step_losses.append(loss.detach())
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        log.append(torch.stack(step_losses).sum())
        if step % 4 == 3:
            print(f"step {step} loss {log[-1].item():.4f} mean {running.item() / (step + 1):.4f} "
                  f"norm {norm.item():.2f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
