package io.vramlab.tensor.internal.ops.window;

import java.util.ArrayList;
import java.util.List;

/** Which pixels of a picture a place of {@link GridSamples}' grid reads, with what weights, and how these change with the place. */
final class GridTaps {

    /** Keys' cubic convolution with PyTorch's a. */
    private static final double A = -0.75;

    private final int height;
    private final int width;
    private final String mode;
    private final String padding;
    private final boolean corners;

    GridTaps(int height, int width, String mode, String padding, boolean corners) {
        this.height = height;
        this.width = width;
        this.mode = mode;
        this.padding = padding;
        this.corners = corners;
    }

    /** A pixel (row-major), its weight, and that weight's slopes by the grid's x and y. */
    record Tap(int cell, double weight, double slopeX, double slopeY) {
    }

    /** A place in pixels, and its slope by the grid's number. */
    private record Place(double at, double slope) {
    }

    /** The pixels that are read at a place of the grid. */
    List<Tap> at(double gx, double gy) {
        boolean cubic = mode.equals("bicubic");
        Place x = cubic ? unnormalized(gx, width) : padded(unnormalized(gx, width), width);
        Place y = cubic ? unnormalized(gy, height) : padded(unnormalized(gy, height), height);
        List<Tap> taps = new ArrayList<>();
        if (mode.equals("nearest")) {
            add(taps, Math.rint(x.at), Math.rint(y.at), new double[]{1, 0, 0});
        } else if (cubic) {
            double left = Math.floor(x.at);
            double top = Math.floor(y.at);
            double[][] wx = cubic(x.at - left);
            double[][] wy = cubic(y.at - top);
            for (int i = 0; i < 4; i++) {
                for (int j = 0; j < 4; j++) {
                    add(taps, padded(new Place(left - 1 + j, 1), width).at,
                            padded(new Place(top - 1 + i, 1), height).at, new double[]{wx[0][j] * wy[0][i],
                                    wx[1][j] * x.slope * wy[0][i], wx[0][j] * wy[1][i] * y.slope});
                }
            }
        } else {
            double left = Math.floor(x.at);
            double top = Math.floor(y.at);
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 2; j++) {
                    double wx = j == 0 ? left + 1 - x.at : x.at - left;
                    double wy = i == 0 ? top + 1 - y.at : y.at - top;
                    add(taps, left + j, top + i, new double[]{wx * wy, (j == 0 ? -wy : wy) * x.slope,
                            (i == 0 ? -wx : wx) * y.slope});
                }
            }
        }
        return taps;
    }

    private void add(List<Tap> taps, double column, double row, double[] weights) {
        if (column >= 0 && column < width && row >= 0 && row < height) {
            taps.add(new Tap((int) row * width + (int) column, weights[0], weights[1], weights[2]));
        }
    }

    private Place unnormalized(double g, int size) {
        return corners
                ? new Place((g + 1) / 2 * (size - 1), (size - 1) / 2.0)
                : new Place(((g + 1) * size - 1) / 2, size / 2.0);
    }

    private Place padded(Place p, int size) {
        return switch (padding) {
            case "border" -> clipped(p, size);
            case "reflection" -> clipped(corners
                    ? reflected(p, 0, 2 * (size - 1))
                    : reflected(p, -1, 2 * size - 1), size);
            default -> p;
        };
    }

    private static Place clipped(Place p, int size) {
        if (p.at <= 0) {
            return new Place(0, 0);
        }
        return p.at >= size - 1 ? new Place(size - 1, 0) : p;
    }

    /** Between the halves of two numbers. */
    private static Place reflected(Place p, int twiceLow, int twiceHigh) {
        if (twiceLow == twiceHigh) {
            return new Place(0, 0);
        }
        double low = twiceLow / 2.0;
        double span = (twiceHigh - twiceLow) / 2.0;
        double slope = p.at < low ? -p.slope : p.slope;
        double far = Math.abs(p.at - low);
        double rest = far % span;
        boolean even = (long) Math.floor(far / span) % 2 == 0;
        return even ? new Place(rest + low, slope) : new Place(span - rest + low, -slope);
    }

    /** Weights of the four pixels around, and their slopes. */
    private static double[][] cubic(double t) {
        double[][] out = new double[2][4];
        for (int k = 0; k < 4; k++) {
            double d = Math.abs(t + 1 - k);
            double sign = t + 1 - k >= 0 ? 1 : -1;
            boolean near = d <= 1;
            out[0][k] = near
                    ? ((A + 2) * d - (A + 3)) * d * d + 1
                    : ((A * d - 5 * A) * d + 8 * A) * d - 4 * A;
            out[1][k] = sign * (near
                    ? (3 * (A + 2) * d - 2 * (A + 3)) * d
                    : (3 * A * d - 10 * A) * d + 8 * A);
        }
        return out;
    }
}
