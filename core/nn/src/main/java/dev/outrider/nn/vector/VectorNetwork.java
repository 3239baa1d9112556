package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCopying;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.List;
import java.util.Optional;

/// A decoder whose passes run in Java's vector code. Every row has the same bits in every pass: alone, in a prompt, in a tree, or
/// with other sequences.
public final class VectorNetwork implements LayeredNetwork, RowCopying {
    private final VectorPasses passes;
    private final String formats;

    /// Loads all weights. Matrices of integers multiply rows in eight bits.
    public VectorNetwork(DecoderConfig config, WeightSource source, Precision precision) {
        this(config, source, precision, RowPrecision.INT8);
    }

    /// Loads all weights.
    ///
    /// @param rows number format of the rows that matrices of integers multiply
    public VectorNetwork(
            DecoderConfig config, WeightSource source, Precision precision, RowPrecision rows) {
        Require.that(
                config.fusion().isEmpty(),
                "a draft layer takes features: use VectorFeatureNetwork");
        passes = VectorPasses.of(config, source, precision, rows, Optional.empty());
        formats = source.formats(precision) + (passes.roundsRows() ? ", int8 rows" : "");
    }

    /// Sets the number of threads of later passes of all such networks. It is limited to the number of processors, because a pass
    /// waits for the slowest thread.
    ///
    /// @param threads at least 1
    public static void useThreads(int threads) {
        Team.use(Math.min(threads, Runtime.getRuntime().availableProcessors()));
    }

    /// Returns its architecture.
    public DecoderConfig config() {
        return passes.config();
    }

    /// Returns the number format of matrices that are in no file format, also for a draft layer of this network.
    public Precision precision() {
        return passes.precision();
    }

    /// Returns the number format of the rows that its matrices of integers multiply, also for draft models and layers of this
    /// network.
    public RowPrecision rowPrecision() {
        return passes.rowPrecision();
    }

    /// Returns the formats of its matrices, for reports: a precision, or the formats of a file; and those of rows and caches, if
    /// they are rounded.
    public String formats() {
        return formats + cacheLabel();
    }

    /// Returns the label of rounded caches in reports; empty if caches are not rounded.
    public String cacheLabel() {
        return passes.cacheLabel();
    }

    /// Returns the bits of a number of a file's matrix in the file's own format.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if that format is not supported
    public static double bits(FileMatrix matrix) {
        return PanelFormat.of(matrix).orElseThrow(() -> Weights.unkept(matrix)).bits();
    }

    /// Returns whether matrices multiply rows that are rounded to 8 bits.
    public boolean roundsRows() {
        return passes.roundsRows();
    }

    /// Computes the logits of hidden states after the final norm.
    ///
    /// @param states `[rows, hiddenSize]`
    /// @param logits receives `[rows, vocabularySize]`
    public void head(float[] states, int rows, float[] logits) {
        passes.head(states, rows, logits);
    }

    /// Copies a token's embedding, from which the first layer's input is computed.
    ///
    /// @param into receives `[hiddenSize]` numbers
    /// @param at   index of the first one
    public void embedding(int token, float[] into, int at) {
        passes.embed(token, into, at);
    }

    /// Returns the bytes of a row of a cache in 32 bits.
    public static long cacheBytesPerRow(DecoderConfig config) {
        return cacheBytesPerRow(config, CachePrecision.F32);
    }

    /// Returns the bytes of a row of a cache.
    public static long cacheBytesPerRow(DecoderConfig config, CachePrecision caches) {
        int rows = Lanes.PANEL;
        return VectorCache.bytes(config, rows, PanelFormat.of(caches)) / rows;
    }

    /// Sets the number format of keys and values of new caches. The default is 32 bits.
    public void keepCachesIn(CachePrecision caches) {
        passes.keepCachesIn(caches);
    }

    @Override
    public KvCache newCache(int rows) {
        return passes.newCache(rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return passes.forward(PassPlan.of(blocks, outputs, config()), outputs, Optional.empty());
    }

    @Override
    public int layers() {
        return config().layers();
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs, LayerSubset layers) {
        return passes.forward(PassPlan.of(blocks, outputs, config()), outputs, layers);
    }

    @Override
    public PassResult resume(
            List<RowBlock> blocks, PassOutputs outputs, int layer, List<PassRow> rows) {
        var plan = PassPlan.ofScratchRows(blocks, outputs, config());
        Require.that(plan.rows() == rows.size(), "%d states for %d rows", rows.size(), plan.rows());
        return passes.resume(plan, outputs, layer, rows);
    }

    @Override
    public void copy(KvCache from, int rows, KvCache to) {
        ((VectorCache) to).begin((VectorCache) from, rows);
    }

    @Override
    public void close() {
        passes.close();
    }

    VectorPasses passes() {
        return passes;
    }
}
