"""Who holds a storage: parameters, gradients, buffers and the optimizer's state, by the names that the program's modules give them."""
import contextlib, weakref

import torch

from .common import _wraps


class _Holders:
    """Tells which storages modules and optimizers hold, by name."""

    def kind(self, tensor, kind, name):
        if _wraps(type(tensor)):
            for part in tensor.__tensor_flatten__()[0]:
                self.kind(getattr(tensor, part), kind, name)
            return
        if (isinstance(tensor, torch.Tensor) and tensor.device.type == "cuda" and tensor.layout == torch.strided
                and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)):    # by vmap and grad: what it wraps is known
            number, new = self.storage(tensor)
            if new is not None:
                self.line("b", *new)
            if self.kinds.get(number, ("",))[0] != kind:
                self.kinds[number] = (kind, name)
                self.line("k", number, kind, name)

    def holders(self):
        for name, parameter in list(self.params.values()):
            parameter = parameter()
            if parameter is not None:
                self.kind(parameter, "parameter", name)
                if parameter.grad is not None:
                    self.kind(parameter.grad, "gradient", name)

    def states(self, optimizer):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                for key, state in optimizer.state.get(parameter, {}).items():
                    self.kind(state, "optimizer", key)

    def name_modules(self, root):
        for name, module in root.named_modules(prefix=type(root).__name__):
            self.names[module] = name
        for name, p in root.named_parameters(prefix=type(root).__name__):
            self.params[id(p)] = (name, weakref.ref(p))
            self.kind(p, "parameter", name)
        for name, b in root.named_buffers(prefix=type(root).__name__):
            self.kind(b, "buffer", name)

    @contextlib.contextmanager
    def inside(self, module):
        if module not in self.names:
            self.name_modules(module)
        self.modules.append(self.names[module])
        try:
            yield
        finally:
            self.modules.pop()
