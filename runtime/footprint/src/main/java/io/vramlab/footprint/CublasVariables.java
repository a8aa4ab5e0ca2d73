package io.vramlab.footprint;

import java.util.function.UnaryOperator;

/**
 * What the process of PyTorch that figures are those of was started with, as far as cuBLAS's workspaces depend on it.
 *
 * @param config
 *            {@code CUBLAS_WORKSPACE_CONFIG}, or null: one or more {@code :KIB:COUNT}
 * @param ltKib
 *            {@code CUBLASLT_WORKSPACE_SIZE}, or null: KiB
 * @param ltDisabled
 *            {@code DISABLE_ADDMM_CUDA_LT}, or null; {@code 1} keeps products away from cublasLt
 */
public record CublasVariables(String config, String ltKib, String ltDisabled) {

    /** None is set. */
    public static final CublasVariables UNSET = new CublasVariables(null, null, null);

    /** This process's own environment. */
    public static CublasVariables ofThisProcess() {
        return of(System::getenv);
    }

    /**
     * Of some environment.
     *
     * @param variables
     *            gives a variable's value, or null
     */
    public static CublasVariables of(UnaryOperator<String> variables) {
        return new CublasVariables(variables.apply("CUBLAS_WORKSPACE_CONFIG"),
                variables.apply("CUBLASLT_WORKSPACE_SIZE"), variables.apply("DISABLE_ADDMM_CUDA_LT"));
    }
}
