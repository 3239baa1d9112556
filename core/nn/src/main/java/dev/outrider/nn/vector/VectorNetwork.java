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

/// A decoder whose passes are Java's vector code. Every row of a pass gets the same bits as it would alone: alone, in a prompt,
/// in a tree, or beside other sequences.
public final class VectorNetwork implements LayeredNetwork, RowCopying {
    private final VectorPasses passes;
    private final String formats;
    private boolean closed;

    /// Loads all weights. Matrices of integers multiply rows in eight bits.
    public VectorNetwork(DecoderConfig config, WeightSource source, Precision precision) {
        this(config, source, precision, RowPrecision.INT8);
    }

    /// Loads all weights.
    ///
    /// @param rows how rows are that matrices of integers multiply
    public VectorNetwork(
            DecoderConfig config, WeightSource source, Precision precision, RowPrecision rows) {
        Require.that(
                config.fusion().isEmpty(),
                "a draft layer takes features: use VectorFeatureNetwork");
        passes = VectorPasses.of(config, source, precision, rows, Optional.empty());
        formats = source.formats(precision) + (passes.roundsRows() ? ", int8 rows" : "");
    }

    /// Sets how many threads the passes of all such networks have from now on: never more than there are processors, for a
    /// pass waits for the slowest.
    ///
    /// @param threads at least 1
    public static void useThreads(int threads) {
        Team.use(Math.min(threads, Runtime.getRuntime().availableProcessors()));
    }

    /// Its architecture.
    public DecoderConfig config() {
        return passes.config();
    }

    /// How matrices are kept that no file has, such as a draft layer's for it.
    public Precision precision() {
        return passes.precision();
    }

    /// How rows are that its matrices of integers multiply, and those of draft models and layers for it.
    public RowPrecision rowPrecision() {
        return passes.rowPrecision();
    }

    /// How its matrices are kept, for reports: a precision, or the formats of a file; and rows and caches, if they are rounded.
    public String formats() {
        return formats + cacheLabel();
    }

    /// What reports say of caches that round.
    public String cacheLabel() {
        return passes.cacheLabel();
    }

    /// Bits that a number of a file's matrix takes where it is kept as it is.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if they cannot be
    public static double bits(FileMatrix matrix) {
        return PanelFormat.of(matrix).orElseThrow(() -> Weights.unkept(matrix)).bits();
    }

    /// Whether matrices multiply rows that are rounded to 8 bits.
    public boolean roundsRows() {
        return passes.roundsRows();
    }

    /// Logits of hidden states that have passed the final norm.
    ///
    /// @param states `[rows, hiddenSize]`
    /// @param logits gets `[rows, vocabularySize]`
    public void head(float[] states, int rows, float[] logits) {
        passes.head(states, rows, logits);
    }

    /// A token's embedding, as the first layer's input is made of it.
    ///
    /// @param into gets `[hiddenSize]` numbers
    /// @param at   index of the first
    public void embedding(int token, float[] into, int at) {
        passes.embed(token, into, at);
    }

    /// Bytes that a row of a cache takes in 32 bits.
    public static long cacheBytesPerRow(DecoderConfig config) {
        return cacheBytesPerRow(config, CachePrecision.F32);
    }

    /// Bytes that a row of a cache takes.
    public static long cacheBytesPerRow(DecoderConfig config, CachePrecision caches) {
        int rows = Lanes.PANEL;
        return VectorCache.bytes(config, rows, PanelFormat.of(caches)) / rows;
    }

    /// Keeps keys and values of the caches made from now on so; in 32 bits before.
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
    public synchronized void close() {
        if (!closed) {
            closed = true;
            passes.close();
        }
    }

    VectorPasses passes() {
        return passes;
    }
}
