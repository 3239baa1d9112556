package dev.outrider.nn.network;

import java.util.BitSet;
import java.util.List;

/// The scratch rows that a row of a pass may attend to, in addition to the committed rows of the cache, which every row sees.
public sealed interface RowMask {
    /// Row `i` sees all scratch rows that were there before, and rows 0 to `i` of this pass.
    record Causal() implements RowMask {}

    /// Row `i` sees the scratch rows whose bit is set: bit `s` stands for cache row
    /// `cache.length() + s`. A row's own bit must be set.
    ///
    /// @param visible one set per row of the pass
    record Ancestors(List<BitSet> visible) implements RowMask {
        public Ancestors {
            visible = visible.stream().map(row -> (BitSet) row.clone()).toList();
        }
    }
}
