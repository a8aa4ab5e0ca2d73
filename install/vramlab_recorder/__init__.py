"""What vramlab_trace.py, beside which this folder lies, is made of: one idea of how a PyTorch program behaves on a GPU in each module.

Fake tensors have shapes, devices and CPython's own lifetimes, but no memory and no values. What a GPU does differently is taught here, in layers; each
module imports only from those before it, so that they can be read in this order:

- `common`, `gpus`, `patches`: where this is installed, which GPUs there are, and what is put in place of PyTorch's own while a program is recorded.
- `drawn`, `known`, `shares`, `parts`, `bounds`, `ranks`: what is known of values that no device computed, by which programs choose, count and loop.
- `layout`, `computed`, `functions`, `sparse`, `compressed`, `attention`, `encoders`, `recurrent`, `metas`, `subclasses`: operations that run or lie otherwise there.
- `modules`, `streams`, `generators`, `legacy`, `appear`: the device that is not there, and what is moved to it.
- `asked`, `engine`, `loading`, `libraries`, `listing`, `opened`, `files`, `weights`, `detection`, `kernels`, `processes`, `compiling`: what programs do beside computing.
- `lines`, `holders`, `backward`, `unknown`, `follow`: the recording itself, operation by operation.
- `behave`, `output`, `recording`, `scripts`, `advice`, `command`: all of it put together, around a block and as a command.

Names that begin with an underscore are the package's own; a program uses `vramlab_trace.record` alone.
"""
