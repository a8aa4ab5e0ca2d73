package io.vramlab.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which operations launch a kernel on the device, and what it wants of the driver (docs/plan.md, "Where segments lie"). */
final class Launches {

    /** Results whose content nobody writes, and changes of a tensor that touch no byte of it. */
    private static final Set<String> NONE = Set.of("aten.empty", "aten.empty_like", "aten.empty_strided",
            "aten.new_empty",
            "aten.new_empty_strided", "aten.empty_permuted", "aten.set_", "aten.resize_", "aten.detach_", "aten.t_",
            "aten.transpose_", "aten.squeeze_", "aten.unsqueeze_", "aten.as_strided_", "aten._local_scalar_dense");
    private static final Set<String> COPIES = Set.of("aten._to_copy", "aten.copy_", "aten.clone",
            "aten.lift_fresh_copy");

    /** Kernels that draw numbers, and those of libraries, have stack enough. */
    private static final Set<String> SLIGHT = Set.of("aten.rand", "aten.randn", "aten.randint", "aten.rand_like",
            "aten.randn_like", "aten.randint_like", "aten.normal_", "aten.uniform_", "aten.bernoulli_", "aten.random_",
            "aten.exponential_", "aten.mm", "aten.bmm", "aten.convolution");
    private static final Set<String> CHECKING = Set.of("aten.sum", "aten.mean", "aten.max", "aten.min", "aten.amax",
            "aten.amin", "aten.aminmax", "aten.any", "aten.all", "aten.norm", "aten.linalg_vector_norm", "aten.var",
            "aten.std", "aten.var_mean", "aten.std_mean", "aten.argmax", "aten.argmin", "aten.prod", "aten.logsumexp",
            "aten.nansum", "aten.count_nonzero", "aten.index", "aten.index_put", "aten.index_put_",
            "aten._index_put_impl_", "aten.index_select", "aten.index_add", "aten.index_add_", "aten.index_copy_",
            "aten.index_fill_", "aten.embedding", "aten.embedding_dense_backward", "aten._embedding_bag",
            "aten.gather", "aten.scatter", "aten.scatter_", "aten.scatter_add", "aten.scatter_add_",
            "aten.scatter_reduce", "aten.scatter_reduce_", "aten.take", "aten.multinomial", "aten.nll_loss_forward",
            "aten.nll_loss_backward", "aten.nll_loss2d_forward");
    /** Element by element; one loop for all, which converts what it reads where types differ. */
    private static final Set<String> LOOPS = Set.of("aten.add", "aten.add_", "aten.sub", "aten.sub_", "aten.rsub",
            "aten.mul", "aten.mul_", "aten.div", "aten.div_", "aten.pow", "aten.eq", "aten.ne", "aten.lt", "aten.le",
            "aten.gt", "aten.ge", "aten.where", "aten.maximum", "aten.minimum", "aten.remainder", "aten.bitwise_and",
            "aten.logical_and", "aten.logical_or", "aten.sqrt", "aten.rsqrt", "aten.exp", "aten.log", "aten.sin",
            "aten.cos", "aten.sigmoid", "aten.tanh", "aten.lerp", "aten.addcmul", "aten.addcdiv", "aten.cat");
    private static final Set<String> HALVES = Set.of("float16", "bfloat16");

    private Launches() {
    }

    /** Whether it does: copies that need not lay or convert anything are the copy engine's, and views are nobody's. */
    static boolean isLaunched(Operation o) {
        String base = o.base();
        boolean writes = !o.made().isEmpty() || base.endsWith("_") || o.name().endsWith("out");
        if (!writes || NONE.contains(base) || !isOnDevice(o)) {
            return false;
        }
        return !COPIES.contains(base) || isLaid(base.equals("aten.copy_") ? o.form(1) : o.form(0),
                base.equals("aten.copy_") ? o.form(0) : o.result() instanceof TensorRef to ? to.form() : null);
    }

    /** Whether one of its kernels wants more stack than the context has for its threads. A bias of cuDNN's is added by a kernel of PyTorch's. */
    static boolean wantsStack(Operation o) {
        return !SLIGHT.contains(o.base()) || o.base().equals("aten.convolution") && o.form(2) != null;
    }

    /** Whether one of its kernels checks on the device what it does (CUDA_KERNEL_ASSERT): reductions, what goes by indices, what converts types as it reads. */
    static boolean checks(Operation o) {
        return CHECKING.contains(o.base()) || LOOPS.contains(o.base()) && converts(o)
                || COPIES.contains(o.base()) && !hasCopyOfItsOwn(o);
    }

    /** Whether {@link #wantsStack} may say so of an operation of that name. */
    static boolean mayWantStack(String base) {
        return !SLIGHT.contains(base) || base.equals("aten.convolution");
    }

    /** Whether {@link #checks} may say so of an operation of that name. */
    static boolean mayCheck(String base) {
        return CHECKING.contains(base) || LOOPS.contains(base) || COPIES.contains(base);
    }

    private static boolean converts(Operation o) {
        List<String> types = Operation.forms(o.arguments()).stream().filter(f -> !f.host()).map(TensorForm::dtype)
                .distinct().toList();
        return types.size() > 1 || types.size() == 1 && o.result() instanceof TensorRef to && !to.form().host()
                && !to.form().dtype().equals("bool") && !to.form().dtype().equals(types.getFirst());
    }

    /** Between float32 and its halves, and where nothing is converted (Copy.cu). */
    private static boolean hasCopyOfItsOwn(Operation o) {
        boolean into = o.base().equals("aten.copy_");
        TensorForm from = into ? o.form(1) : o.form(0);
        TensorForm to = into ? o.form(0) : o.result() instanceof TensorRef r ? r.form() : null;
        return from == null || to == null || from.host() || to.host() || from.dtype().equals(to.dtype())
                || from.dtype().equals("float32") && HALVES.contains(to.dtype())
                || to.dtype().equals("float32") && HALVES.contains(from.dtype());
    }

    private static boolean isOnDevice(Operation o) {
        return Stream.of(o.arguments(), List.of(o.named()), o.result() == null ? List.of() : List.of(o.result()))
                .flatMap(values -> Operation.forms(values).stream()).anyMatch(form -> !form.host());
    }

    private static boolean isLaid(TensorForm from, TensorForm to) {
        if (from == null || to == null || from.host() && to.host()) {
            return false;
        }
        boolean asItLies = from.isDense() && Arrays.equals(from.expanded(to.shape()).strides(), to.strides());
        boolean whole = asItLies || from.isContiguous() && to.isContiguous();
        boolean converted = !from.dtype().equals(to.dtype());
        return from.host() ? !to.isContiguous() && !asItLies : !whole || converted;
    }
}
