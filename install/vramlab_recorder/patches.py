"""What is put in place of PyTorch's own functions while a program is recorded, and taken away after it, in the reverse order.

Two layers: those that let a device appear come first; those above them stand for what programs do, and can be lifted while the compiler looks at the program.
"""
import contextlib, functools, os


class _Patches:
    def __init__(self):
        self.undo, self.device, self.replaced = [], 0, set()   # those that let a device appear come first
        self.last = []

    def set(self, owner, name, value):
        missing = object()
        old = owner.__dict__.get(name, missing) if isinstance(owner, type) else getattr(owner, name, missing)
        self.undo.append((owner, name, old, missing))
        self.replaced.add(id(old))
        if isinstance(value, functools.partial):               # programs and torch.fx ask functions for their names
            value.__name__ = name
        setattr(owner, name, value)

    def python(self, op, key, value):
        """What Python's dispatcher calls for an operation."""
        op.py_impl(key)(value)
        op._dispatch_cache.clear()

        def undo():
            del op.py_kernels[key]
            op._dispatch_cache.clear()

        self.last.append(undo)

    def environment(self, name, value):
        old = os.environ.get(name)
        os.environ[name] = value
        self.last.append(lambda: os.environ.pop(name) if old is None else os.environ.__setitem__(name, old))

    def at_the_end(self, action):
        self.last.append(action)

    def below(self, *groups):
        """Adds to those that stay where the others are lifted."""
        with self.lifted():
            above, self.undo = self.undo[self.device:], self.undo[:self.device]
            for group in groups:
                group(self)
            self.device = len(self.undo)
            self.undo += above

    def restore(self):
        for owner, name, old, missing in reversed(self.undo):
            self.put_back(owner, name, old, missing)
        for action in reversed(self.last):
            action()

    @staticmethod
    def put_back(owner, name, old, missing):
        if old is missing:
            delattr(owner, name)
        else:
            setattr(owner, name, old)

    @contextlib.contextmanager
    def lifted(self):
        """Without those that stand for what programs do; the device keeps looking as it does."""
        above = self.undo[self.device:]
        here = [(owner, name, owner.__dict__.get(name) if isinstance(owner, type) else getattr(owner, name)) for owner, name, *_ in above]
        for entry in reversed(above):
            self.put_back(*entry)
        try:
            yield
        finally:
            for owner, name, value in here:
                setattr(owner, name, value)
