// Attention with heads of up to 64 elements.
#include "attention.cuh"

ATTENTION(float16, false, 64, 2)
ATTENTION(bfloat16, true, 64, 2)
