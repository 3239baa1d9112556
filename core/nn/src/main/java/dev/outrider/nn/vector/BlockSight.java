package dev.outrider.nn.vector;

import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.Visibility;
import java.util.Optional;
import java.util.OptionalInt;

/// What the rows of a block see of their own sequence.
///
/// @param block  the rows; their keys are in the cache
/// @param first  cache row of the first
/// @param window positions a row sees, its own included; empty means all
/// @param bias   what distances add to scores
record BlockSight(RowBlock block, int first, OptionalInt window, Optional<RelativeBias> bias)
        implements Sight {
    @Override
    public int reach(int row) {
        return causal() ? first + row + 1 : cache().used();
    }

    @Override
    public void adjust(float[] scores, int at, int head, int row, int seen) {
        if (bias.isPresent()) {
            bias.get().add(scores, at, head, block.positions()[row], cache().rows(), seen);
        }
        hide(scores, at, row, seen);
    }

    private void hide(float[] scores, int at, int row, int seen) {
        if (causal() && window.isEmpty()) {
            for (int column = first + row + 1; column < seen; column++) {
                scores[at + column] = Float.NEGATIVE_INFINITY;
            }
            return;
        }
        var visibility = new Visibility(cache().rows(), first, block, window);
        for (int column = window.isEmpty() ? cache().length() : 0; column < seen; column++) {
            if (!visibility.sees(row, column)) {
                scores[at + column] = Float.NEGATIVE_INFINITY;
            }
        }
    }

    private boolean causal() {
        return block.mask() instanceof RowMask.Causal;
    }

    private VectorCache cache() {
        return (VectorCache) block.cache();
    }
}
