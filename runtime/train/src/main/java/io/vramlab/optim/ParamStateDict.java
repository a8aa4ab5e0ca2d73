package io.vramlab.optim;

import io.vramlab.tensor.OwnedMap;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One parameter's state in an optimizer's state dict: as in PyTorch the optimizer's own, so that it shows what later steps make of it.
 */
final class ParamStateDict extends AbstractMap<String, Object> implements OwnedMap<String, Object> {

    static final String STEP = "step";
    static final String PRODUCT = "mu_product";

    private final ParamState state;

    ParamStateDict(ParamState state) {
        super();
        this.state = state;
    }

    @Override
    public Owner owner() {
        return state;
    }

    @Override
    public Object put(String name, Object value) {
        throw new UnsupportedOperationException("\"" + name
                + "\" was put into a parameter's state in a state dict, which shows the"
                + " optimizer's own: call optimizer.state(param).set(name, tensor), or put it into a copy of the map.");
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
        Map<String, Object> all = new LinkedHashMap<>();
        Map<String, Tensor> tensors = state.tensors();
        if (!tensors.containsKey(STEP)) {
            all.put(STEP, state.step());
        }
        if (state.product() != null) {
            all.put(PRODUCT, state.product());
        }
        all.putAll(tensors);
        return Collections.unmodifiableMap(all).entrySet();
    }
}
