// Attention with heads of 72 to 128 elements.
#include "attention.cuh"

ATTENTION(float16, false, 128, 1)
ATTENTION(bfloat16, true, 128, 1)
