# limit: 1.5
import pathlib
import tempfile
import torch
from transformers import BertConfig, BertForMaskedLM

CFG = BertConfig(vocab_size=10000, hidden_size=768, num_hidden_layers=6, num_attention_heads=12,
                 intermediate_size=3072)


def finetune(folder, seed, steps=2):
    """a very short fine-tuning run per seed, written to disk"""
    torch.manual_seed(seed)
    model = BertForMaskedLM(CFG).to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for _ in range(steps):
        ids = torch.randint(0, CFG.vocab_size, (4, 64), device="cuda")
        model(input_ids=ids, labels=ids).loss.backward()
        opt.step()
        opt.zero_grad()
    path = folder / f"seed{seed}.pt"
    torch.save(model.state_dict(), path)
    return path


def soup(paths):
    states = [torch.load(p, map_location="cuda") for p in paths]
    mean = {}
    for k in states[0]:
        mean[k] = torch.stack([s[k].float() for s in states]).mean(0)
    return mean


@torch.no_grad()
def evaluate(model):
    ids = torch.randint(0, CFG.vocab_size, (8, 128), device="cuda")
    return model(input_ids=ids, labels=ids).loss.item()


def main():
    with tempfile.TemporaryDirectory() as tmp:
        folder = pathlib.Path(tmp)
        paths = []
        for seed in range(7):
            paths.append(finetune(folder, seed))
            print("trained", paths[-1].name)
        model = BertForMaskedLM(CFG).to("cuda").eval()
        print("base", evaluate(model))
        for k in (2, 7):
            model.load_state_dict(soup(paths[:k]))
            print(f"soup of {k}:", evaluate(model))


if __name__ == "__main__":
    main()
