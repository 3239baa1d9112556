package dev.outrider.treeverify.pass;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Sizes that a device's program is compiled for.
///
/// @param config    the decoder
/// @param maxRows   most rows of one run of the program; a multiple of 4, best of the eight that a kernel takes at a time
/// @param maskWords words of 64 bits in a row's mask
/// @param cacheRows rows of the cache that all sequences share
/// @param maxMoves  most cache rows that one run moves
/// @param format    number format of the matrices
/// @param keyChunk  keys of a row that one work group of attention takes, at least 1
/// @param forms     forms of the matrices
public record ProgramShape(
        DecoderConfig config,
        int maxRows,
        int maskWords,
        int cacheRows,
        int maxMoves,
        WeightFormat format,
        int keyChunk,
        WeightForms forms) {
    /// Words of a mask that suffice for trees of 512 nodes.
    public static final int USUAL_MASK_WORDS = 8;

    /// Integers that say where a layer's numbers begin in arrays that all layers share.
    public static final int LAYER_OFFSETS = 14;

    /// Moves of a run that suffice for several long paths.
    public static final int USUAL_MOVES = 256;

    /// Keys of a chunk. A row of 32 heads then occupies a device of 128 multiprocessors from 1024 keys on. A chunk's result is
    /// written and read once, and is as long as one of the 512 vectors its work group reads: less than half a percent.
    public static final int USUAL_KEY_CHUNK = 256;

    private static final List<List<Weight>> TOGETHER =
            List.of(
                    List.of(Weight.QUERY, Weight.KEY, Weight.VALUE),
                    List.of(Weight.GATE, Weight.UP));

    public ProgramShape {
        Require.that(
                maxRows >= 4 && maxRows % 4 == 0,
                "maxRows %d is not a positive multiple of 4",
                maxRows);
        Require.that(
                maskWords >= 1 && cacheRows >= 1 && maxMoves >= 1 && keyChunk >= 1,
                "maskWords %d, cacheRows %d, maxMoves %d and keyChunk %d must be positive",
                maskWords,
                cacheRows,
                maxMoves,
                keyChunk);
        Require.that(!config.fusion().isPresent(), "a draft layer is not a decoder of its own");
    }

    /// A shape of matrices that have one format.
    public ProgramShape(
            DecoderConfig config,
            int maxRows,
            int maskWords,
            int cacheRows,
            int maxMoves,
            WeightFormat format,
            int keyChunk) {
        this(
                config,
                maxRows,
                maskWords,
                cacheRows,
                maxMoves,
                format,
                keyChunk,
                WeightForms.of(format, config.tiedHead()));
    }

    /// A shape with chunks of the usual length.
    public ProgramShape(
            DecoderConfig config,
            int maxRows,
            int maskWords,
            int cacheRows,
            int maxMoves,
            WeightFormat format) {
        this(config, maxRows, maskWords, cacheRows, maxMoves, format, USUAL_KEY_CHUNK);
    }

    /// A shape with matrices of 32-bit floats.
    public ProgramShape(
            DecoderConfig config, int maxRows, int maskWords, int cacheRows, int maxMoves) {
        this(config, maxRows, maskWords, cacheRows, maxMoves, WeightFormat.F32);
    }

    /// The shape of a program whose passes are timed. Named shapes stop at their models' positions; what a pass costs does not
    /// depend on them.
    public static ProgramShape of(DeviceBenchRequest request) {
        return new ProgramShape(
                request.shape().stretchedTo(request.cacheRows()),
                Math.ceilDiv(request.mostRows(), 4) * 4,
                USUAL_MASK_WORDS,
                request.cacheRows(),
                USUAL_MOVES,
                request.format());
    }

    /// This shape with chunks of another length.
    public ProgramShape withKeyChunk(int keys) {
        return new ProgramShape(
                config, maxRows, maskWords, cacheRows, maxMoves, format, keys, forms);
    }

    /// This shape with matrices of other forms.
    public ProgramShape withForms(WeightForms other) {
        return new ProgramShape(
                config, maxRows, maskWords, cacheRows, maxMoves, format, keyChunk, other);
    }

    /// A matrix as kernels read it.
    ///
    /// @param name for errors
    /// @param form as [LevelMatrix] has it, or 32 or 16 for the bits of floats
    public record DeviceMatrix(String name, int form, int rows, int size) {
        /// Its elements on the device, of 32 bits.
        public long words() {
            return (long) rows * LevelMatrix.words(form, size);
        }
    }

    /// The embedding, `[V, hidden]`.
    public DeviceMatrix embedding() {
        return matrix("the embedding", Weight.EMBEDDING, config.vocabularySize(), 0);
    }

    /// A head of its own, `[V, hidden]`, or the embedding.
    public DeviceMatrix head() {
        return config.tiedHead()
                ? embedding()
                : matrix("the head", Weight.HEAD, config.vocabularySize(), 0);
    }

    /// Queries, keys and values of a layer, `[queryKeyValueOutputs, hidden]`.
    public DeviceMatrix queryKeyValue(int layer) {
        return matrix("queries, keys and values", Weight.QUERY, queryKeyValueOutputs(), layer);
    }

    /// The output projection of a layer, `[hidden, heads * headSize]`.
    public DeviceMatrix output(int layer) {
        return matrix("output", Weight.OUTPUT, config.hiddenSize(), layer);
    }

    /// Gate and up of a layer, or up alone, `[gateUpOutputs, hidden]`.
    public DeviceMatrix gateUp(int layer) {
        return matrix("gate and up", Weight.UP, gateUpOutputs(), layer);
    }

    /// The down projection of a layer, `[hidden, inner]`.
    public DeviceMatrix down(int layer) {
        return matrix("down", Weight.DOWN, config.hiddenSize(), layer);
    }

    /// All matrices that multiply.
    public List<DeviceMatrix> multiplying() {
        return Stream.concat(
                        IntStream.range(0, config.layers())
                                .boxed()
                                .flatMap(layer ->
                                        Stream.of(
                                                queryKeyValue(layer),
                                                output(layer),
                                                gateUp(layer),
                                                down(layer))),
                        Stream.of(head()))
                .toList();
    }

    /// Formats of matrices, for reports: that of the most bytes first.
    public String formats() {
        var words =
                multiplying().stream()
                        .collect(
                                Collectors.groupingBy(
                                        each -> LevelMatrix.bits(each.form()),
                                        Collectors.summingLong(DeviceMatrix::words)));
        return format != WeightFormat.FILE
                ? format.name().toLowerCase(Locale.ROOT)
                : words.entrySet().stream()
                        .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                        .map(each -> (each.getKey() < Short.SIZE ? "q" : "f") + each.getKey())
                        .collect(Collectors.joining("+"));
    }

    private DeviceMatrix matrix(String name, Weight weight, int rows, int layer) {
        boolean inLayer = weight != Weight.EMBEDDING && weight != Weight.HEAD;
        return new DeviceMatrix(
                inLayer ? name + " of layer " + layer : name,
                form(weight, layer),
                rows,
                (int) weight.shape(config, layer)[1]);
    }

    /// The form of the matrix that has a weight's rows, perhaps beside others'.
    public int form(Weight weight, int layer) {
        return TOGETHER.stream()
                .filter(each -> each.contains(weight))
                .findFirst()
                .orElse(List.of(weight))
                .stream()
                .filter(each -> each.present(config, layer))
                .mapToInt(each -> forms.of(each, layer))
                .reduce(LevelMatrix::join)
                .orElseThrow();
    }

    /// Most cache rows that a row sees.
    public int mostKeys() {
        return Math.min(cacheRows, config.maxPositions());
    }

    /// Most chunks of keys that a row has in a layer.
    public int keyChunks(int layer) {
        int window = config.window(layer).orElse(mostKeys());
        return Math.ceilDiv(Math.min(window, mostKeys()), keyChunk);
    }

    /// Most chunks of keys that a row has in any layer.
    public int keyChunks() {
        return IntStream.range(0, config.layers()).map(this::keyChunks).max().orElse(1);
    }

    /// Numbers of one chunk's result: its output, its greatest score and its sum of exponentials.
    public int chunkResult() {
        return config.headSize() + 2;
    }

    /// Numbers in the array of the chunks' results, `[maxRows, heads, chunks, headSize + 2]`, or 1 where no row has a second
    /// chunk.
    public long chunkResults() {
        return keyChunks() > 1 ? (long) maxRows * config.heads() * keyChunks() * chunkResult() : 1;
    }

    /// Numbers of a layer in one cache row: keys, or values.
    public int cacheWidth() {
        return width(config);
    }

    /// Outputs of the joined query, key and value projections.
    public int queryKeyValueOutputs() {
        return (config.heads() + 2 * config.keyValueHeads()) * config.headSize();
    }

    /// Numbers of a row's query.
    public int queryWidth() {
        return config.heads() * config.headSize();
    }

    /// First bias of the queries, keys and values of a layer; -1 without biases.
    public int queryKeyValueBias(int layer) {
        return config.queryKeyValueBias() ? layer * biasesPerLayer() : -1;
    }

    /// First bias of the output projection of a layer; -1 without biases.
    public int outputBias(int layer) {
        return config.outputBias() ? layer * biasesPerLayer() + queryKeyValueOutputs() : -1;
    }

    /// First bias of gate and up of a layer; -1 without biases.
    public int gateUpBias(int layer) {
        return config.feedForwardBias()
                ? layer * biasesPerLayer() + queryKeyValueOutputs() + config.hiddenSize()
                : -1;
    }

    /// First bias of the down projection of a layer; -1 without biases.
    public int downBias(int layer) {
        return config.feedForwardBias() ? gateUpBias(layer) + gateUpOutputs() : -1;
    }

    /// Numbers in the array of biases; a place per layer for each that a decoder can have, or 1 without any.
    public int biases() {
        boolean any = config.queryKeyValueBias() || config.outputBias() || config.feedForwardBias();
        return any ? config.layers() * biasesPerLayer() : 1;
    }

    /// Outputs of the projections that open a feed-forward layer: gate and up, or up alone.
    public int gateUpOutputs() {
        return (config.form().feedForward().gated() ? 2 : 1) * config.intermediateSize();
    }

    /// Norms of a layer but those of heads: those that blocks read through before those of their results.
    public int normsOfLayer() {
        return (framed() ? 2 : 0) + (normsResults() ? 2 : 0);
    }

    /// Whether blocks read the stream through a norm.
    public boolean framed() {
        return config.form().norms().place().reads();
    }

    /// Whether what blocks compute is normed before it is added.
    public boolean normsResults() {
        return config.form().norms().place().results();
    }

    /// Whether norms subtract the mean and add a bias.
    public boolean centred() {
        return config.form().norms().kind() == NormKind.LAYER;
    }

    /// Numbers of a norm: weights, and behind them biases if there are.
    public int normSize() {
        return centred() ? 2 * config.hiddenSize() : config.hiddenSize();
    }

    /// Numbers in the array of norms: those of every layer, then the final norm.
    public int norms() {
        return (normsOfLayer() * config.layers() + 1) * normSize();
    }

    /// First number of a norm.
    ///
    /// @param number counts the norms of a layer, from 0
    public int norm(int layer, int number) {
        return (layer * normsOfLayer() + number) * normSize();
    }

    /// Numbers of a layer's norms of queries and keys, those of the queries first.
    public int headNormsOfLayer() {
        return headNormSize(config.heads()) + headNormSize(config.keyValueHeads());
    }

    /// Numbers of a norm of queries or keys: of a head, or of all heads together.
    public int headNormSize(int heads) {
        return (config.form().norms().wholeQueries() ? heads : 1) * config.headSize();
    }

    /// Numbers in the array of head norms, or 1 without any.
    public int headNorms() {
        return config.queryKeyNorm() ? config.layers() * headNormsOfLayer() : 1;
    }

    /// First numbers of a head that a layer rotates.
    public int rotary(int layer) {
        boolean rotated = config.form().rotary() && config.kind(layer) != LayerKind.UNROTATED;
        return rotated ? config.rotarySize() : 0;
    }

    /// Those among them that the projection rotates: none where a norm comes between.
    public int rotaryOfProjection(int layer) {
        return config.queryKeyNorm() ? 0 : rotary(layer);
    }

    /// Numbers in one table of cosines and sines.
    public int rotations() {
        return config.form().rotary() ? config.maxPositions() * config.rotarySize() : 2;
    }

    /// Tables of cosines and sines: a second one where layers that see a window have angles of their own.
    public int rotationTables() {
        return config.form().rotary() && config.localRopeTheta().isPresent() ? 2 : 1;
    }

    /// Where a layer's table of cosines begins.
    public int rotation(int layer) {
        boolean local = layer < config.layers() && config.kind(layer) == LayerKind.LOCAL;
        return local && rotationTables() == 2 ? rotations() : 0;
    }

    /// Whether vectors of positions are added to embeddings.
    public boolean placed() {
        return config.form().positions() instanceof Positions.Learned
                || config.form().positions() instanceof Positions.Sinusoidal;
    }

    /// Numbers of these vectors, or 1 without any.
    public int positions() {
        return placed() ? Math.multiplyExact(config.maxPositions(), config.hiddenSize()) : 1;
    }

    private int biasesPerLayer() {
        return queryKeyValueOutputs() + 2 * config.hiddenSize() + gateUpOutputs();
    }

    private static int width(DecoderConfig config) {
        return config.keyValueHeads() * config.headSize();
    }
}
