package dev.outrider.nn.network;

/// A network whose rows have the same bits in every pass that computes them, so that a cache may begin with copies of another
/// cache's rows.
public interface RowCopying extends DecoderNetwork {
    /// Copies the first rows of a cache into an empty one.
    ///
    /// @param from a cache of this network, which no thread changes
    /// @param rows number of rows, at most the committed ones
    /// @param to   an empty cache of this network with room for them; they are committed
    void copy(KvCache from, int rows, KvCache to);
}
