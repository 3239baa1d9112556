package dev.outrider.nn.network;

/// One sequence's rows in a pass. They are appended to the cache as scratch rows.
///
/// @param cache     a cache of the network that runs the pass
/// @param tokens    token ids, one per row
/// @param positions rotary positions, one per row
/// @param mask      what the rows attend to beyond the committed rows
public record RowBlock(KvCache cache, int[] tokens, int[] positions, RowMask mask) {
    public RowBlock {
        if (tokens.length == 0 || tokens.length != positions.length) {
            throw new IllegalArgumentException(
                    "%d tokens with %d positions".formatted(tokens.length, positions.length));
        }
    }

    /// Rows that continue a sequence: causal, at the positions after the cache's rows.
    public static RowBlock continuing(KvCache cache, int... tokens) {
        var positions = new int[tokens.length];
        for (int row = 0; row < tokens.length; row++) {
            positions[row] = cache.used() + row;
        }
        return new RowBlock(cache, tokens, positions, new RowMask.Causal());
    }
}
