"""What may help where a program ended with an error while it was recorded: what a machine without a GPU, a network or the program's files lacks."""
import os, re, sys

CHECKPOINTS = (".pt", ".pth", ".ckpt", ".bin", ".safetensors", ".tar")
CONFIGURATION = ("Of a model of Hugging Face config.json alone is needed, some KB: put it in a folder by itself and give that folder to from_pretrained, or build the "
                 "model from a configuration (AutoModelForCausalLM.from_config(LlamaConfig(…)))")
KERNELS = ("bitsandbytes", "flash_attn", "xformers", "apex", "deepspeed", "transformer_engine", "unsloth", "vllm", "auto_gptq", "awq", "mamba_ssm", "causal_conv1d", "triton", "quantization")
LOGGERS = ("wandb", "tensorboard", "tensorboardX", "mlflow", "neptune", "comet_ml", "clearml", "aim", "trackio")
OF_TORCHRUN = ("local_rank", "rank", "world_size", "local_world_size", "master_addr", "master_port")

ADVICE = [
    (("nvidia-smi", "nvml"),
     "There is no GPU here, and so nobody to ask about it. Leave that call out while recording: torch.cuda.get_device_properties and torch.cuda.mem_get_info answer for "
     "the GPU that is recorded for."),
    (("attempted relative import",),
     "The script belongs to a package: record it as a module, -m PACKAGE.MODULE, in the folder above the package's."),
    ([f"keyerror '{name}'" for name in OF_TORCHRUN],
     "The program wants what torchrun sets. One process of several is recorded, without torchrun: put RANK=0 LOCAL_RANK=0 WORLD_SIZE=8 before the command, for as many "
     "processes as there are to be."),
    (("cuda_home", "ninja is required", "error building extension"),
     "The program compiles kernels of its own for a GPU; they cannot be recorded. Record it with what PyTorch has in their place."),
    (("gated repo", "401 client error", "403 client error", "gatedrepo"),
     f"The model is given to those alone who have logged in and agreed to its terms. {CONFIGURATION}."),
    (("connecterror", "connectionerror", "urlerror", "localentrynotfound", "offlinemodeisenabled", "maxretryerror", "gaierror", "couldn't connect", "can't load the conf"),
     f"The program wanted something from the network. Weights are never read here, but a configuration, a tokenizer or a data set is. {CONFIGURATION}, and feed it "
     "torch.randint(…) of the right shape in place of a tokenizer's or a data set's; or run the program once where there is a network, so that all lies in its cache."),
]


def advice(error, script=None):
    """What may help, or None."""
    chain = list(_causes(error))
    text = " ".join(f"{type(e).__name__} {e}" for e in chain)
    return next((told for words, told in ADVICE if any(word in text.lower() for word in words)), None) or _of_packages(chain, text) or _of_files(chain, text, script)


def of_arguments(code, arguments):
    """What may help where a program ended itself, as argparse does where it was given too few or other arguments than it knows; or None."""
    if code != 2:
        return None
    return ("2 is how argparse refuses arguments. " + (f"It was given {' '.join(arguments)}." if arguments else
            "What follows the script is given to it: vramlab_trace script.py --data FOLDER; what the recorder is told stands before the script."))


def _causes(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _of_packages(chain, text):
    missing = next((e.name for e in chain if isinstance(e, ModuleNotFoundError) and e.name), None)
    if re.search(rf"\b({'|'.join(KERNELS)})", text.lower()):
        return ("Kernels that are not PyTorch's own cannot be recorded. Record the program without them: attention by torch.nn.functional.scaled_dot_product_attention takes as "
                "much as flash_attn's and xformers' does, what apex has PyTorch has, too, and without quantization the figures are an upper bound.")
    if missing is None:
        return None
    name = missing.partition(".")[0]
    also = f" It has no say in memory: the program may be recorded without it{', or with WANDB_MODE=disabled' if name == 'wandb' else ''}, too." if name in LOGGERS else ""
    return f"This Python lacks a package of the program's: {sys.executable} -m pip install, of what brings {name}, or record with the Python that trains.{also}"


def _of_files(chain, text, script):
    path = next((os.fspath(e.filename) for e in chain if isinstance(e, OSError) and isinstance(e.filename, (str, os.PathLike))), None)
    if path is None:
        found = re.search(r"No such file or directory: '?([^\s']+)", text) if any(isinstance(e, OSError) for e in chain) else None
        path = found.group(1) if found else None
    if path is None:
        return STAND_INS if re.search("dataset ?not ?found", text.lower()) else None
    if script is not None and not os.path.isabs(path) and os.path.exists(os.path.join(os.path.dirname(os.path.abspath(script)), path)):
        return f"{path} lies beside the script, and was looked for in {os.getcwd()}: start the recorder in the script's folder."
    if path.lower().endswith(CHECKPOINTS):
        return (f"{path} is not here. What a checkpoint's weights are has no say in how much memory is needed: build the model without them, or have the program save such a file "
                "first, which writes nothing here.")
    if path.lower().endswith((".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".py")):
        return f"{path} is not here; it was looked for from {os.getcwd()}. Start the recorder in the folder in which the program is started."
    return f"{path} is not here. {STAND_INS}"


STAND_INS = ("Of data only shapes count: stand-ins of the right shape do, for instance torchvision.datasets.FakeData or a TensorDataset of torch.randn(…).")
