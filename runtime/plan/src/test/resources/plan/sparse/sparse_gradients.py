"""Programs of runtime/conformance's sparse.py that an H200 recorded, as a script for the recorder: gradients of embeddings as sparse tensors."""
import torch
import torch.nn as nn
import torch.optim as O


def table():
    e = nn.Embedding(1000, 64, sparse=True).cuda()
    e.weight.data.copy_(torch.zeros(1000, 64).cuda())
    return e


def ids(k):
    return ((torch.arange(400) * 7 + k) % 1000).cuda() * (1 + k) % 300


def steps(make, coalesced=False, none=True, shared=1):
    e = table()
    opt = make([e.weight])
    for s in range(3):
        for k in range(shared):
            loss = (e(ids(3 * s + k)) ** 2).sum()
            loss.backward()
            del loss
        if coalesced:
            e.weight.grad = e.weight.grad.coalesce()
        opt.step()
        opt.zero_grad(set_to_none=none)


def accumulated():
    e = table()
    (e(ids(1)).pow(2).sum() + e(ids(2)).pow(2).sum()).backward()
    e(ids(3)).pow(2).sum().backward()


def both():
    e = table()
    y = (e(ids(1)) @ e.weight.t()).pow(2).mean()
    y.backward()


steps(lambda p: O.SparseAdam(p, lr=.01))
steps(lambda p: O.SparseAdam(p, lr=.01), coalesced=True)
steps(lambda p: O.SparseAdam(p, lr=.01, maximize=True))
steps(lambda p: O.SparseAdam(p, lr=.01), shared=2)
steps(lambda p: O.SparseAdam(p, lr=.01), none=False)
steps(lambda p: O.SGD(p, lr=.1))
steps(lambda p: O.SGD(p, lr=.1, momentum=.9))
steps(lambda p: O.SGD(p, lr=.1, momentum=.9, foreach=False))
steps(lambda p: O.SGD(p, lr=.1, momentum=.9, nesterov=True))
steps(lambda p: O.SGD(p, lr=.1, maximize=True))
steps(lambda p: O.SGD(p, lr=.1), none=False)
steps(lambda p: O.Adagrad(p, lr=.1))
steps(lambda p: O.Adagrad(p, lr=.1, foreach=True))
steps(lambda p: O.Adagrad(p, lr=.1), coalesced=True)
accumulated()
both()
