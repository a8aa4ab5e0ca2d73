package io.vramlab.kernel.spi;

import java.util.List;

/** Imports that every session begins with; found by {@link java.util.ServiceLoader}. */
public interface SessionDefaults {

    /** Import declarations such as {@code import io.vramlab.tensor.Tensor;}. */
    List<String> imports();
}
