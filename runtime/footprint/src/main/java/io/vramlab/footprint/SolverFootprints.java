package io.vramlab.footprint;

/**
 * What factorizations and what is solved with them take besides their results, as PyTorch calls cuSOLVER and cuBLAS
 * (BatchLinearAlgebra.cpp, BatchLinearAlgebraLib.cpp); docs/footprint.md, "Linear algebra". Element is the bytes of one number,
 * many the matrices of a batch. Which factorization went wrong, and what is done with that, is not in here.
 */
public final class SolverFootprints {

    /** Batches of Jacobi's methods: up to so many rows and columns. */
    private static final int BATCHED_SIDE = 32;
    /** Reflections of many at once: up to so many rows, from one matrix for so many rows on. */
    private static final int BATCHED_ROWS = 256;
    private static final int ROWS_FOR_A_MATRIX = 16;
    /** Elimination. */
    private static final int MANY = 32;
    private static final int SMALL = 8;
    private static final int SQUARE_BATCHED = 16;
    private static final int MIDDLE = 64;
    private static final int LARGE = 128;
    /** Triangles one by one: up to so many matrices from so many rows on. */
    private static final int LOOPED_BATCH = 8;
    private static final int LOOPED_SIDE = 64;

    private SolverFootprints() {
    }

    /** Cholesky's factor. */
    public static Footprint cholesky(int element, long many, long side, boolean upper) {
        return new Footprint.Steps().pass(many > 1
                ? Long.BYTES * many
                : upper ? SolverScratch.square("potrf-upper", element, 1, side) : SolverScratch.potrf(side)).done();
    }

    /** Eigenvalues of symmetric matrices: small ones at once, others one by one. */
    public static Footprint eigen(int element, long many, long side) {
        Footprint.Steps steps = new Footprint.Steps();
        if (many > 1 && side <= BATCHED_SIDE) {
            steps.pass(SolverScratch.square("syevd", element, many, side));
        } else {
            each(steps, many, SolverScratch.square("syevd", element, 1, side));
        }
        return steps.done();
    }

    /**
     * Singular values, by a copy of the matrices; where all are computed at once both sides are square while they are.
     *
     * @param vectors
     *            whether they are wanted too
     * @param full
     *            whether as many as there are rows and columns
     */
    public static Footprint singular(int element, long many, long rows, long columns, boolean vectors, boolean full) {
        long least = Math.min(rows, columns);
        long side = Math.max(rows, columns);
        boolean batched = side <= BATCHED_SIDE;
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(many * rows * columns * element);
        if (!vectors) {
            long at = batched ? many : 1;
            steps.take(at * rows * (batched ? rows : least) * element);
            steps.take(at * columns * (batched ? columns : least) * element);
        } else if (batched && !full && rows != columns) {
            steps.take(many * side * side * element);
        }
        return steps.pass(batched || rows == columns
                ? SolverScratch.square("gesvdj", element, 1, batched ? side : least)
                : SolverScratch.oblong(element, rows, columns))
                .done();
    }

    /**
     * Reflections, and the matrix that they make.
     *
     * @param width
     *            columns of that; 0 if it is not wanted
     */
    public static Footprint reflections(int element, long many, long rows, long columns, long width) {
        long least = Math.min(rows, columns);
        Footprint.Steps steps = new Footprint.Steps();
        steps.take(many * least * element);
        if (width == 0 && rows > columns) {
            steps.take(many * rows * columns * element);
        }
        if (areBatched(many, rows)) {
            two(steps, Long.BYTES * many);
        } else {
            oneByOne(steps, many, SolverScratch.geqrf(element, columns));
        }
        if (width > 0) {
            oneByOne(steps, many, SolverScratch.orgqr(element, rows, least));
        }
        return steps.done();
    }

    /** The matrices that reflections make. */
    public static Footprint reflected(int element, long many, long rows, long columns) {
        Footprint.Steps steps = new Footprint.Steps();
        oneByOne(steps, many, SolverScratch.orgqr(element, rows, Math.min(rows, columns)));
        return steps.done();
    }

    private static boolean areBatched(long many, long rows) {
        return rows <= BATCHED_ROWS && many >= Math.max(2, rows / ROWS_FOR_A_MATRIX);
    }

    /** Elimination: one square matrix by cuSOLVER, several by cuBLAS, oblong ones and many that are not small by MAGMA, which takes nothing here. */
    public static Footprint factors(int element, long many, long rows, long columns) {
        if (rows != columns || many > 1 && !areEliminatedAtOnce(many, rows)) {
            return Footprint.NOTHING;
        }
        return new Footprint.Steps().pass(many == 1
                ? SolverScratch.square("getrf", element, 1, rows)
                : Long.BYTES * many).done();
    }

    /** Whether cuBLAS eliminates several matrices in one call. */
    public static boolean areEliminatedAtOnce(long many, long side) {
        return many > 1 && (side <= SQUARE_BATCHED || many < MANY && side <= LARGE);
    }

    /** Whether cuSOLVER solves with the factors, one matrix after the other; cuBLAS does otherwise. */
    public static boolean areSolvedOneByOne(long many, long side, long right, boolean transposed) {
        return side != right && side > SMALL && many <= 2
                && (side <= MIDDLE ? right <= MIDDLE || transposed || side <= MANY : right <= 2);
    }

    /**
     * Solutions with factors: one by one or in a batch, or by two triangles, for which rows of the right side are exchanged.
     *
     * @param right
     *            columns of the right side
     * @param transposed
     *            whether with the transpose of what was factored
     */
    public static Footprint solutions(int element, long many, long side, long right, boolean transposed) {
        Footprint.Steps steps = new Footprint.Steps();
        if (areSolvedOneByOne(many, side, right, transposed)) {
            return steps.pass(Integer.BYTES).done();
        }
        boolean atOnce = side == right
                ? side <= SQUARE_BATCHED
                : side <= SMALL || side <= MIDDLE && right <= SMALL || side <= LARGE && right <= 2;
        if (atOnce) {
            two(steps, Long.BYTES * many);
            return steps.done();
        }
        long places = Long.BYTES * side;
        int numbers = steps.take(places);
        if (many > 1) {
            steps.take(places * many);
            steps.giveBack(numbers);
        }
        long rows = side * right * many * element;
        if (!transposed) {
            steps.take(places);
            steps.take(places * many);
            steps.take(rows);
        }
        triangle(steps, many, side);
        triangle(steps, many, side);
        if (transposed) {
            steps.take(rows);
        }
        return steps.done();
    }

    /** A solution with triangles: for many, or small ones, two arrays of pointers; for few large ones nothing. */
    public static Footprint triangles(long many, long side) {
        Footprint.Steps steps = new Footprint.Steps();
        triangle(steps, many, side);
        return steps.done();
    }

    /** Least squares by reflections, after copies of both sides. */
    public static Footprint leastSquares(int element, long many, long rows, long columns, long right) {
        long least = Math.min(rows, columns);
        Footprint.Steps steps = new Footprint.Steps();
        if (rows >= columns && areBatched(many, rows)) {
            steps.take(many * rows * columns * element);
            two(steps, Long.BYTES * many);
            return steps.done();
        }
        if (rows < columns) {
            steps.take(many * rows * columns * element);
        }
        steps.take(many * least * element);
        if (rows < columns) { // solves with the triangle first, then turns
            triangle(steps, many, rows);
        }
        oneByOne(steps, many, SolverScratch.geqrf(element, least));
        oneByOne(steps, many, SolverScratch.ormqr(element, Math.max(rows, columns), least, right));
        if (rows >= columns) {
            triangle(steps, many, columns);
        }
        return steps.done();
    }

    private static void triangle(Footprint.Steps steps, long many, long side) {
        if (many > LOOPED_BATCH || side < LOOPED_SIDE) {
            two(steps, Long.BYTES * many);
        }
    }

    private static void two(Footprint.Steps steps, long bytes) {
        int first = steps.take(bytes);
        steps.pass(bytes).giveBack(first);
    }

    /** Beside a number that tells whether a call went well. */
    private static void oneByOne(Footprint.Steps steps, long many, long bytes) {
        int went = steps.take(Integer.BYTES);
        each(steps, many, bytes);
        steps.giveBack(went);
    }

    private static void each(Footprint.Steps steps, long many, long bytes) {
        for (long i = 0; i < many; i++) {
            steps.pass(bytes);
        }
    }
}
