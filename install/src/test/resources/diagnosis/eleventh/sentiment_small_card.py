# limit: 0.7
# Fine-tune a BERT-size classifier, smallest batch, plainest optimiser.
import torch
from transformers import BertConfig, BertForSequenceClassification


def reviews(n, length=32, vocab=30522):
    ids = torch.randint(1000, vocab, (n, length), device="cuda")
    labels = (ids.float().mean(1) > 15700).long()
    return ids, labels


def accuracy(model, rounds=10):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for _ in range(rounds):
            ids, labels = reviews(2)
            hits += (model(input_ids=ids).logits.argmax(1) == labels).sum().item()
            total += len(labels)
    return hits / total


def finetune(model, steps=50):
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    model.train()
    for step in range(steps):
        ids, labels = reviews(2)
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        if step % 10 == 0:
            print(step, loss.item())


def main():
    torch.manual_seed(0)
    model = BertForSequenceClassification(BertConfig(num_labels=2)).cuda()
    print("before:", accuracy(model))
    finetune(model)
    print("after:", accuracy(model))


main()
