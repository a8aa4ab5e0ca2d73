"""Pretrained weights: none are read. Models of transformers, timm and torchvision are made of their configuration, as large as loaded ones."""
import collections, functools, sys

import torch

from .common import TraceError
from .libraries import _when_there


class _NoWeights(collections.OrderedDict):
    """Stands for weights that nobody needs here."""


def _weights(follow, p):
    """Weights are not read: a model has its size without them."""
    plain = torch.nn.Module.load_state_dict

    def load_state_dict(self, state, *args, **kwargs):
        return torch.nn.modules.module._IncompatibleKeys([], []) if isinstance(state, _NoWeights) else plain(self, state, *args, **kwargs)

    def none(*args, **kwargs):
        follow.note("weights are not loaded: they have no say in how much memory is needed")
        return _NoWeights()

    p.set(torch.nn.Module, "load_state_dict", load_state_dict)
    p.set(torch.hub, "load_state_dict_from_url", none)
    _when_there(p, "torchvision.models._api", "load_state_dict_from_url", lambda plain: none)
    _when_there(p, "timm.models._builder", "load_pretrained", lambda plain: lambda *a, **k: none() and None)
    _when_there(p, "timm.models._builder", "load_custom_pretrained", lambda plain: lambda *a, **k: none() and None)
    _when_there(p, "transformers.modeling_utils", "_get_resolved_checkpoint_files", lambda plain: lambda *a, **k: (none() and None, None))
    _when_there(p, "transformers.modeling_utils", "_get_dtype", lambda plain: functools.partial(_dtype_of_transformers, plain))
    _when_there(p, "transformers.modeling_utils", "PreTrainedModel", lambda plain: _loads_nothing(p, plain))


def _dtype_of_transformers(plain, dtype, files, config, *rest):
    """What weights would tell of their type is float32 here, unless the configuration tells."""
    return plain(torch.get_default_dtype() if dtype == "auto" and getattr(config, "dtype", None) is None else dtype, files, config, *rest)


def _loads_nothing(p, model_class):
    """transformers' from_pretrained without its files: parameters are made where its device_map has them, after one block of their size."""
    utilities = sys.modules["transformers.modeling_utils"]

    def load(model, state_dict, checkpoint_files, load_config, expected_keys=None):
        if getattr(load_config, "hf_quantizer", None) is not None:
            raise TraceError("Quantized weights were asked for; what they take follows from their files, which are not read here. "
                             "Record the program without quantization_config: that is an upper bound.")
        places = utilities.expand_device_map(load_config.device_map, list(model.state_dict())) if load_config.device_map is not None else {}
        if places:
            utilities.caching_allocator_warmup(model, places, None)
        tied = model.all_tied_weights_keys
        order = sys.modules["transformers.core_model_loading"].dot_natural_key
        for name, tensor in sorted([*model.named_parameters(), *model.named_buffers()], key=lambda each: order(each[0])):
            if tensor.device.type == "meta" and name not in tied:
                path, _, last = name.rpartition(".")
                made = torch.empty_like(tensor, device=places.get(name, "cpu"), requires_grad=False)
                if isinstance(tensor, torch.nn.Parameter):
                    made = torch.nn.Parameter(made, tensor.requires_grad)
                setattr(model.get_submodule(path), last, made)
        info = utilities.LoadStateDictInfo(missing_keys=set(), error_msgs=[], unexpected_keys=set(), mismatched_keys=set(), conversion_errors={},
                                           skipped_pp_keys=set())
        return info, None

    def save(self, save_directory, is_main_process=True, **kwargs):
        """Without the weights: what from_pretrained then builds the same model from."""
        self.config.dtype, self.config.architectures = self.dtype, [type(self).__name__]
        if is_main_process:
            self.config.save_pretrained(save_directory)
            if self.can_generate() and self.generation_config is not None:
                self.generation_config.save_pretrained(save_directory)

    p.set(model_class, "_load_pretrained_model", staticmethod(load))
    p.set(model_class, "save_pretrained", save)
    return model_class
