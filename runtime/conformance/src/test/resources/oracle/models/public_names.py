"""PyTorch's public names of modules, functions, optimizers and schedules: usage: public_names.py OUTFILE (needs no GPU)"""
import sys, inspect
import torch, torch.nn as nn, torch.nn.functional as F
lines = [f'module {n}' for n in sorted(dir(nn)) if inspect.isclass(getattr(nn, n)) and issubclass(getattr(nn, n), nn.Module) and n not in ('Container', 'NLLLoss2d', 'DataParallel')]
skip = {'assert_int_or_pair', 'boolean_dispatch', 'handle_torch_function', 'has_torch_function', 'has_torch_function_unary', 'has_torch_function_variadic', 'native_channel_shuffle', 'multi_head_attention_forward', 'grad', 'scaled_mm', 'scaled_grouped_mm', 'grouped_mm'}
lines += [f'function {n}' for n in sorted(dir(F)) if n[0].islower() and callable(getattr(F, n)) and n not in skip and not n.endswith(('_', '_with_indices'))]
lines += [f'optimizer {n}' for n in sorted(torch.optim.__all__) if inspect.isclass(getattr(torch.optim, n)) and n != 'Optimizer']
lines += [f'schedule {n}' for n in sorted(torch.optim.lr_scheduler.__all__) if n != 'LRScheduler']
lines += [f'method {n}' for n in sorted(dir(nn.Module)) if n[0].islower() and not n.startswith('_') and callable(getattr(nn.Module, n))]
lines += [f'{p} {n}' for p, m in (('linalg', torch.linalg), ('fft', torch.fft)) for n in sorted(dir(m)) if n[0].islower() and callable(getattr(m, n)) and (n in getattr(m, '__all__', [n]))]
lines += [f'distribution {n}' for n in sorted(torch.distributions.__all__) if inspect.isclass(getattr(torch.distributions, n)) and n not in ('Distribution', 'ExponentialFamily', 'Transform')]
open(sys.argv[1], 'w').write('\n'.join(lines) + '\n')
