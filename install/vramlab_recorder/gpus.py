"""The GPUs that can be recorded for: what CUDA says of each, and by which names people ask for it.

A program sees a GPU's name, capability, multiprocessors and memory, and PyTorch chooses kernels by them. `DeviceProfile` and `PublishedGpu` have the same
figures for Java; `GpuTablesTest` holds the tables together, which are read there as text.
"""
import re

from .common import TraceError

# name: (what CUDA calls it, compute capability, multiprocessors, bytes)
DEVICES = {
    "H200": ("NVIDIA H200", (9, 0), 132, 150109880320),
    "H100-80GB": ("NVIDIA H100 80GB HBM3", (9, 0), 132, 85017493504),
    "H100-NVL-94GB": ("NVIDIA H100 NVL", (9, 0), 132, 99964944384),
    "H100-PCIE-80GB": ("NVIDIA H100 PCIe", (9, 0), 114, 84943044608),
    "GH200-96GB": ("NVIDIA GH200 480GB", (9, 0), 132, 101468602368),
    "H20-96GB": ("NVIDIA H20", (9, 0), 78, 102010716160),
    "B200": ("NVIDIA B200", (10, 0), 148, 191502483456),
    "A100-40GB": ("NVIDIA A100-SXM4-40GB", (8, 0), 108, 42298834944),
    "A100-80GB": ("NVIDIA A100-SXM4-80GB", (8, 0), 108, 85095874560),
    "A30": ("NVIDIA A30", (8, 0), 56, 25339887616),
    "V100-16GB": ("Tesla V100-SXM2-16GB", (7, 0), 80, 16935682048),
    "V100-32GB": ("Tesla V100-SXM2-32GB", (7, 0), 80, 34072428544),
    "L40S": ("NVIDIA L40S", (8, 9), 142, 47697362944),
    "L4": ("NVIDIA L4", (8, 9), 58, 23580639232),
    "A40": ("NVIDIA A40", (8, 6), 84, 47622127616),
    "A10": ("NVIDIA A10", (8, 6), 72, 23684186112),
    "A10G": ("NVIDIA A10G", (8, 6), 80, 23684186112),
    "T4": ("Tesla T4", (7, 5), 40, 15828320256),
    "RTX-PRO-6000": ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", (12, 0), 188, 101974016000),
    "RTX-6000-Ada": ("NVIDIA RTX 6000 Ada Generation", (8, 9), 142, 50983862272),
    "RTX-A6000": ("NVIDIA RTX A6000", (8, 6), 84, 51040485376),
    "RTX-A5000": ("NVIDIA RTX A5000", (8, 6), 64, 25285361664),
    "RTX-A4000": ("NVIDIA RTX A4000", (8, 6), 48, 16761487360),
    "RTX-5090": ("NVIDIA GeForce RTX 5090", (12, 0), 170, 33679212544),
    "RTX-5080": ("NVIDIA GeForce RTX 5080", (12, 0), 84, 16651386880),
    "RTX-5070-Ti": ("NVIDIA GeForce RTX 5070 Ti", (12, 0), 70, 16611540992),
    "RTX-5070": ("NVIDIA GeForce RTX 5070", (12, 0), 48, 12336496640),
    "RTX-4090": ("NVIDIA GeForce RTX 4090", (8, 9), 128, 25393692672),
    "RTX-4080": ("NVIDIA GeForce RTX 4080", (8, 9), 76, 16828596224),
    "RTX-4070-Ti": ("NVIDIA GeForce RTX 4070 Ti", (8, 9), 60, 12594446336),
    "RTX-4070": ("NVIDIA GeForce RTX 4070", (8, 9), 46, 12451840000),
    "RTX-4060-Ti-16GB": ("NVIDIA GeForce RTX 4060 Ti", (8, 9), 34, 16718495744),
    "RTX-4060-8GB": ("NVIDIA GeForce RTX 4060", (8, 9), 24, 8318222336),
    "RTX-3090": ("NVIDIA GeForce RTX 3090", (8, 6), 82, 25438126080),
    "RTX-3080-10GB": ("NVIDIA GeForce RTX 3080", (8, 6), 68, 10350493696),
    "RTX-3070": ("NVIDIA GeForce RTX 3070", (8, 6), 46, 8196718592),
    "RTX-3060-12GB": ("NVIDIA GeForce RTX 3060", (8, 6), 28, 12622168064),
    "RTX-2080-Ti": ("NVIDIA GeForce RTX 2080 Ti", (7, 5), 68, 11348738048),
}
# What people and CUDA call some of them besides, as in KnownGpus.java.
CALLED = {"h100": "H100-80GB", "h10080gbpcie": "H100-PCIE-80GB", "h20": "H20-96GB", "h200141gb": "H200", "b200180gb": "B200", "gh200480gb": "GH200-96GB",
          "gh200120gb": "GH200-96GB", "rtx4060": "RTX-4060-8GB"}
# Their caches of the second level, in bytes, which Inductor clears while it tries kernels; the H200's is measured.
L2_CACHE = {DEVICES[name][0]: int(mebibytes * (1 << 20)) for name, mebibytes in (
    ("H200", 60), ("H100-80GB", 50), ("H100-NVL-94GB", 60), ("H100-PCIE-80GB", 50), ("GH200-96GB", 60), ("H20-96GB", 60), ("B200", 126.5), ("A100-40GB", 40),
    ("A100-80GB", 40), ("A30", 24), ("V100-16GB", 6), ("V100-32GB", 6), ("L40S", 96), ("L4", 48), ("A40", 6), ("A10", 6), ("A10G", 6), ("T4", 4),
    ("RTX-PRO-6000", 128), ("RTX-6000-Ada", 96), ("RTX-A6000", 6), ("RTX-A5000", 6), ("RTX-A4000", 4), ("RTX-5090", 96), ("RTX-5080", 64),
    ("RTX-5070-Ti", 48), ("RTX-5070", 48), ("RTX-4090", 72), ("RTX-4080", 64), ("RTX-4070-Ti", 48), ("RTX-4070", 36), ("RTX-4060-Ti-16GB", 32),
    ("RTX-4060-8GB", 24), ("RTX-3090", 6), ("RTX-3080-10GB", 5), ("RTX-3070", 4), ("RTX-3060-12GB", 2.25), ("RTX-2080-Ti", 5.5))}


def _device_properties(device):
    name, capability, processors, total = device

    class Properties:
        major, minor = capability
        multi_processor_count, total_memory, warp_size, is_integrated, is_multi_gpu_board = processors, total, 32, 0, 0
        max_threads_per_multi_processor = 2048 if capability in ((7, 0), (8, 0), (9, 0), (10, 0)) else 1024 if capability == (7, 5) else 1536
        regs_per_multiprocessor, L2_cache_size, gcnArchName, uuid = 65536, L2_CACHE.get(name, 50 << 20), "", "GPU-recorded"
        shared_memory_per_block, shared_memory_per_block_optin, shared_memory_per_multiprocessor = 49152, 232448, 233472

        def __repr__(self):
            return f"_CudaDeviceProperties(name='{name}', major={capability[0]}, minor={capability[1]})"

    Properties.name = name
    return Properties()


def _device(name):
    """The GPU of that name, or the only one whose name begins so. Case, blanks, hyphens and the maker do not matter, and an RTX A6000 is an A6000, too."""
    def plain(text):
        text = re.sub(r"[-_\s]+", " ", text.lower())
        return re.sub(r"\b(nvidia|geforce|tesla|generation|blackwell|(workstation|server) edition|sxm\d?|hbm\de?)\b", "", text).replace(" ", "")

    known, written = {plain(gpu): gpu for gpu in DEVICES}, plain(name)
    for asked in (written, written.replace("pcie", "")):
        asked = plain(CALLED.get(asked, asked))
        begun = [gpu for key, gpu in known.items() if asked and (key.startswith(asked) or asked[0].isalpha() and key.startswith("rtx" + asked))]
        if asked in known or len(begun) == 1:
            return known.get(asked) or begun[0]
    raise TraceError(f"no GPU is called {name!r}; known are {', '.join(DEVICES)}")
