package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Tensor;

/**
 * An invertible function with the logarithm of its slope, for {@link TransformedDistribution}: {@code torch.distributions.transforms.Transform}. With
 * a cache it remembers the last pair, and holds both: what it has given is taken back without computing it again.
 */
public abstract class Transform extends Owner {

    private final boolean caches;
    private Tensor cachedX;
    private Tensor cachedY;

    Transform(int cacheSize) {
        if (cacheSize != 0 && cacheSize != 1) {
            throw new IllegalArgumentException("cache_size must be 0 or 1, but got " + cacheSize + ".");
        }
        caches = cacheSize == 1;
    }

    abstract Term of(Term x);

    abstract Term inverse(Term y);

    abstract Term logAbsDetJacobian(Term x, Term y);

    /** What its results are. */
    abstract Constraint codomain();

    /** 1 if it rises, -1 if it falls; 0 if that cannot be told. */
    int sign() {
        return 1;
    }

    /**
     * The function's value.
     *
     * @param x
     *            borrowed; held if there is a cache
     * @return the value; with a cache the remembered one, if x is the tensor that it belongs to
     */
    public final Tensor call(Tensor x) {
        if (!caches) {
            return of(Term.of(x)).give();
        }
        if (x == cachedX) {
            return cachedY;
        }
        Tensor y = of(Term.of(x)).give();
        remember(x, y);
        return y;
    }

    /**
     * The inverse function's value.
     *
     * @param y
     *            borrowed; held if there is a cache
     * @return the value; with a cache the remembered one, if y is the tensor that it belongs to
     */
    public final Tensor inv(Tensor y) {
        if (!caches) {
            return inverse(Term.of(y)).give();
        }
        if (y == cachedY) {
            return cachedX;
        }
        Tensor x = inverse(Term.of(y)).give();
        remember(x, y);
        return x;
    }

    /**
     * The logarithm of how much the function stretches.
     *
     * @param x
     *            where
     * @param y
     *            the function's value there
     * @return of x's shape, or one value for each event
     */
    public final Tensor logAbsDetJacobian(Tensor x, Tensor y) {
        return logAbsDetJacobian(Term.of(x), Term.of(y)).give();
    }

    private void remember(Tensor x, Tensor y) {
        Lifetimes.fresh(x);
        Lifetimes.fresh(y);
        Lifetimes.hold(x);
        Lifetimes.hold(y);
        Lifetimes.takes(this, x);
        Lifetimes.takes(this, y);
        letGo();
        cachedX = x;
        cachedY = y;
    }

    final boolean remembers(Tensor t) {
        return caches && (t == cachedX || t == cachedY);
    }

    @Override
    protected void letGo() {
        Tensor x = cachedX;
        Tensor y = cachedY;
        cachedX = null;
        cachedY = null;
        Lifetimes.drop(x);
        Lifetimes.drop(y);
    }
}
