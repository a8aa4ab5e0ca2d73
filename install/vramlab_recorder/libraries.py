"""Names of other libraries that are replaced, now or when the program brings the library in.

The recorder imports none of them. Libraries take another way where they see fake tensors, as for torch.compile; a program on a GPU does not.
"""
import sys

_awaited = {}                                                  # module: {name: what makes the replacement}


def _when_there(p, module, name, replace):
    """Replaces a name of a library, now or when the program brings the library in."""
    _awaited.setdefault(module, []).append((name, replace))


def _look_for_libraries(p):
    """Whether one of them is on its way and has to be looked for again."""
    coming = False
    for module, names in list(_awaited.items()):
        there = sys.modules.get(module)
        if there is None:
            continue
        if getattr(getattr(there, "__spec__", None), "_initializing", False):
            coming = True
            continue
        for name, replace in names:
            if hasattr(there, name):
                p.set(there, name, replace(getattr(there, name)))
        del _awaited[module]
    return coming


def _as_if_not_traced(p):
    """Libraries take another way where they see fake tensors, as for torch.compile; a program on a GPU does not."""
    import builtins
    original, seen = builtins.__import__, [0]

    def importing(name, *args, **kwargs):
        module = original(name, *args, **kwargs)
        if len(sys.modules) == seen[0]:                        # the way of nearly all of them: PyTorch imports in each call
            return module
        if not _look_for_libraries(p):
            seen[0] = len(sys.modules)
        return module

    _when_there(p, "transformers.utils.import_utils", "is_fake_tensor", lambda plain: lambda tensor: False)
    _look_for_libraries(p)
    p.set(builtins, "__import__", importing)
