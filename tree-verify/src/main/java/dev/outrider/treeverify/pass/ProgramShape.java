package dev.outrider.treeverify.pass;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockForm.LayerKind;
import dev.outrider.nn.network.BlockForm.NormKind;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Positions;
import dev.outrider.nn.network.Weight;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.FusionSizes.FusionNorm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The sizes that a device's program is compiled for.
///
/// @param config    the decoder
/// @param maxRows   maximum rows of one run of the program; a multiple of 4. Multiples of 8 are best: a kernel takes 8 rows at a
///                  time
/// @param maskWords words of 64 bits in a row's mask
/// @param cacheRows rows of the cache that all sequences share
/// @param maxMoves  maximum cache rows that one run moves
/// @param format    number format of the matrices
/// @param keyChunk  number of a row's keys that one work group of attention takes, at least 1
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
    /// The default number of words of a mask: enough for trees of 512 nodes.
    public static final int USUAL_MASK_WORDS = TornadoTargetConfig.GUESSES / Long.SIZE;

    /// The number of offsets of a layer in arrays that all layers share.
    public static final int LAYER_OFFSETS = 25;

    /// The default number of moves of a run: enough for several long paths.
    public static final int USUAL_MOVES = 256;

    /// The default number of keys of a chunk. With it, a row of 32 heads and 1024 or more keys occupies a device of 128
    /// multiprocessors. A chunk's result is written and read once. It is as long as one of the 512 vectors that its work group
    /// reads, so it costs less than half a percent.
    public static final int USUAL_KEY_CHUNK = 256;

    private static final List<List<Weight>> TOGETHER =
            List.of(
                    List.of(Weight.QUERY, Weight.KEY, Weight.VALUE),
                    List.of(Weight.GATE, Weight.UP),
                    List.of(Weight.EXPERT_GATE, Weight.EXPERT_UP),
                    List.of(Weight.SHARED_GATE, Weight.SHARED_UP));

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
    }

    /// Makes a shape whose matrices have one format.
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
                WeightForms.of(format, config.fusion().isEmpty() && config.tiedHead()));
    }

    /// Makes a shape with chunks of the default length.
    public ProgramShape(
            DecoderConfig config,
            int maxRows,
            int maskWords,
            int cacheRows,
            int maxMoves,
            WeightFormat format) {
        this(config, maxRows, maskWords, cacheRows, maxMoves, format, USUAL_KEY_CHUNK);
    }

    /// Makes a shape with matrices of 32-bit floats.
    public ProgramShape(
            DecoderConfig config, int maxRows, int maskWords, int cacheRows, int maxMoves) {
        this(config, maxRows, maskWords, cacheRows, maxMoves, WeightFormat.F32);
    }

    /// Returns the shape of a program whose passes are timed. The maximum position is raised if the model's is too small, because
    /// the cost of a pass does not depend on it.
    public static ProgramShape of(DeviceBenchRequest request) {
        return new ProgramShape(
                request.shape().stretchedTo(request.cacheRows()),
                Math.ceilDiv(request.mostRows(), 4) * 4,
                USUAL_MASK_WORDS,
                request.cacheRows(),
                USUAL_MOVES,
                request.format());
    }

    /// Returns this shape with chunks of another length.
    public ProgramShape withKeyChunk(int keys) {
        return new ProgramShape(
                config, maxRows, maskWords, cacheRows, maxMoves, format, keys, forms);
    }

    /// Returns this shape with matrices of other forms.
    public ProgramShape withForms(WeightForms other) {
        return new ProgramShape(
                config, maxRows, maskWords, cacheRows, maxMoves, format, keyChunk, other);
    }

    /// A matrix in the form that kernels read.
    ///
    /// @param name its name in errors
    /// @param form a form of [QuantizedLayout], or 32 or 16 for the bits of floats
    public record DeviceMatrix(String name, int form, int rows, int size) {
        /// Returns the number of its 32-bit elements on the device.
        public long words() {
            return (long) rows * QuantizedLayout.words(form, size);
        }
    }

    /// Returns the embedding, `[V, hidden]`.
    public DeviceMatrix embedding() {
        return matrix(lent("the embedding"), Weight.EMBEDDING, config.vocabularySize(), 0);
    }

    /// Returns the head, `[logits, hidden]`; the embedding if the head is tied.
    public DeviceMatrix head() {
        return tiedHead() ? embedding() : matrix(lent("the head"), Weight.HEAD, logits(), 0);
    }

    private String lent(String name) {
        return config.fusion().isPresent() ? name + ", its own or a copy of the target's" : name;
    }

    /// Returns whether the embedding is the head. Draft layers have both; what they borrow is a copy of the target's.
    public boolean tiedHead() {
        return config.fusion().isEmpty() && config.tiedHead();
    }

    /// Returns the number of logits of a row: the vocabulary, or a draft layer's.
    public int logits() {
        return config.fusion().map(FusionConfig::headSize).orElse(config.vocabularySize());
    }

    /// Returns whether the input of a layer's attention is normed.
    public boolean framed(int layer) {
        return Weight.INPUT_NORM.present(config, layer);
    }

    /// Returns queries, keys and values of a layer, `[queryKeyValueOutputs, hidden]`.
    public DeviceMatrix queryKeyValue(int layer) {
        return matrix("queries, keys and values", Weight.QUERY, queryKeyValueOutputs(), layer);
    }

    /// Returns the output projection of a layer, `[hidden, heads * headSize]`.
    public DeviceMatrix output(int layer) {
        return matrix("output", Weight.OUTPUT, config.hiddenSize(), layer);
    }

    /// Returns gate and up of a layer, or up alone, `[gateUpOutputs, hidden]`; those of all its experts, `[experts, padded,
    /// hidden]`.
    public DeviceMatrix gateUp(int layer) {
        return config.sparse(layer)
                ? ofExperts(Weight.EXPERT_UP, layer)
                : matrix("gate and up", Weight.UP, gateUpOutputs(), layer);
    }

    /// Returns the down projection of a layer, `[hidden, inner]`; those of all its experts, `[experts, padded, inner]`.
    public DeviceMatrix down(int layer) {
        return config.sparse(layer)
                ? ofExperts(Weight.EXPERT_DOWN, layer)
                : matrix("down", Weight.DOWN, config.hiddenSize(), layer);
    }

    private DeviceMatrix ofExperts(Weight weight, int layer) {
        int count = experts().form().orElseThrow().count();
        int rows = Math.multiplyExact(count, experts().padded(weight));
        return matrix(weight == Weight.EXPERT_UP ? "gate and up" : "down", weight, rows, layer);
    }

    /// Returns the matrices of a layer with experts that all rows multiply: the router, `[scores, hidden]`; gate and up, and down of
    /// a shared expert.
    public List<DeviceMatrix> routing(int layer) {
        if (!config.sparse(layer)) {
            return List.of();
        }
        int shared = experts().sharedSize();
        var router = matrix("router", Weight.ROUTER, experts().scores(), layer);
        return shared == 0
                ? List.of(router)
                : List.of(
                        router,
                        matrix("shared gate and up", Weight.SHARED_UP, 2 * shared, layer),
                        matrix("shared down", Weight.SHARED_DOWN, config.hiddenSize(), layer));
    }

    /// Returns the sizes of layers with experts.
    public ExpertSizes experts() {
        return new ExpertSizes(config, maxRows);
    }

    /// Returns the sizes of a draft layer's input.
    public FusionSizes fusion() {
        return new FusionSizes(this);
    }

    /// Returns all matrices that rows are multiplied by.
    public List<DeviceMatrix> multiplying() {
        return Stream.concat(
                        IntStream.range(0, config.layers())
                                .boxed()
                                .flatMap(layer ->
                                        Stream.concat(
                                                Stream.of(
                                                        queryKeyValue(layer),
                                                        output(layer),
                                                        gateUp(layer),
                                                        down(layer)),
                                                routing(layer).stream())),
                        Stream.of(fusion().reduction(), fusion().join(), Optional.of(head()))
                                .flatMap(Optional::stream))
                .toList();
    }

    /// Returns the formats of matrices, for reports, by their bytes, the most first.
    public String formats() {
        var words =
                multiplying().stream()
                        .collect(
                                Collectors.groupingBy(
                                        each -> format(each.form()),
                                        Collectors.summingLong(DeviceMatrix::words)));
        return format != WeightFormat.FILE
                ? format.name().toLowerCase(Locale.ROOT)
                : words.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.joining("+"));
    }

    private static String format(int form) {
        int bits = QuantizedLayout.bits(form);
        return (QuantizedLayout.floats(form) ? "fp" : bits < Short.SIZE ? "q" : "f") + bits;
    }

    /// @param layer the layer, which `name` gets if the weight is one of layers
    DeviceMatrix matrix(String name, Weight weight, int rows, int layer) {
        return new DeviceMatrix(
                weight.perLayer() ? name + " of layer " + layer : name,
                form(weight, weight.first(config, layer)),
                rows,
                (int) weight.shape(config, weight.first(config, layer))[1]);
    }

    /// Returns the form of the matrix that contains a weight's rows, possibly with those of other weights, or of all experts.
    ///
    /// @param number of the layer or the expert
    public int form(Weight weight, int number) {
        if (weight == Weight.ROUTER || weight == Weight.SHARED_EXPERT_GATE) {
            return Float.SIZE;
        }
        int count = weight.perExpert() ? experts().form().orElseThrow().count() : 1;
        int first = number / count * count;
        return TOGETHER.stream()
                .filter(each -> each.contains(weight))
                .findFirst()
                .orElse(List.of(weight))
                .stream()
                .filter(each -> each.present(config, number))
                .flatMapToInt(each ->
                        IntStream.range(first, first + count).map(one -> forms.of(each, one)))
                .reduce(QuantizedLayout::join)
                .orElseThrow();
    }

    /// Returns the maximum cache rows that a row sees.
    public int mostKeys() {
        return Math.min(cacheRows, config.maxPositions());
    }

    /// Returns the maximum chunks of keys that a row has in a layer.
    public int keyChunks(int layer) {
        int window = config.window(layer).orElse(mostKeys());
        return Math.ceilDiv(Math.min(window, mostKeys()), keyChunk);
    }

    /// Returns the maximum chunks of keys that a row has in any layer.
    public int keyChunks() {
        return IntStream.range(0, config.layers()).map(this::keyChunks).max().orElse(1);
    }

    /// Returns the length of one chunk's result: its output, its greatest score and its sum of exponentials.
    public int chunkResult() {
        return config.headSize() + 2;
    }

    /// Returns the length of the array of the chunks' results, `[maxRows, heads, chunks, headSize + 2]`, or 1 if no row has a
    /// second chunk.
    public long chunkResults() {
        return keyChunks() > 1 ? (long) maxRows * config.heads() * keyChunks() * chunkResult() : 1;
    }

    /// Returns the number of a layer's keys, or of its values, in one cache row.
    public int cacheWidth() {
        return width(config);
    }

    /// Returns the number of outputs of the joined query, key and value projections.
    public int queryKeyValueOutputs() {
        return (config.heads() + 2 * config.keyValueHeads()) * config.headSize();
    }

    /// Returns the length of a row's queries, all heads together.
    public int queryWidth() {
        return config.heads() * config.headSize();
    }

    /// Returns the index of the first bias of the queries, keys and values of a layer; -1 without biases.
    public int queryKeyValueBias(int layer) {
        return config.queryKeyValueBias() ? layer * biasesPerLayer() : -1;
    }

    /// Returns the index of the first bias of the output projection of a layer; -1 without biases.
    public int outputBias(int layer) {
        return config.outputBias() ? layer * biasesPerLayer() + queryKeyValueOutputs() : -1;
    }

    /// Returns the index of the first bias of gate and up of a layer, or of all its experts; -1 without biases.
    public int gateUpBias(int layer) {
        return config.feedForwardBias() || Weight.ROUTER_BIAS.present(config, layer)
                ? layer * biasesPerLayer() + queryKeyValueOutputs() + config.hiddenSize()
                : -1;
    }

    /// Returns the index of the first bias of the down projection of a layer, or of all its experts; -1 without biases.
    public int downBias(int layer) {
        return gateUpBias(layer) < 0 ? -1 : gateUpBias(layer) + gateUpBiases();
    }

    /// Returns the index of the first bias of a layer's router; -1 without biases.
    public int routerBias(int layer) {
        return Weight.ROUTER_BIAS.present(config, layer)
                ? (layer + 1) * biasesPerLayer() - config.heads() - experts().scores()
                : -1;
    }

    /// Returns the index of a layer's first attention sink, which follow its biases; -1 without sinks.
    public int sinks(int layer) {
        return config.form().scores().sinks()
                ? (layer + 1) * biasesPerLayer() - config.heads()
                : -1;
    }

    /// Returns the length of the array of biases; each layer has places for all biases that a decoder can have. 1 without any
    /// biases.
    public int biases() {
        return Math.max(1, biasesOfLayers() + (joinBias() < 0 ? 0 : config.hiddenSize()));
    }

    /// Returns the index of the first bias of a projected join; -1 without biases.
    public int joinBias() {
        return Weight.JOIN_BIAS.present(config) ? biasesOfLayers() : -1;
    }

    private int biasesOfLayers() {
        boolean any =
                config.queryKeyValueBias()
                        || config.outputBias()
                        || config.feedForwardBias()
                        || Weight.ROUTER_BIAS.present(config)
                        || config.form().scores().sinks();
        return any ? config.layers() * biasesPerLayer() : 0;
    }

    /// Returns the number of outputs of a feed-forward layer's first projections: gate and up, or up alone.
    public int gateUpOutputs() {
        return (config.form().feedForward().gated() ? 2 : 1) * config.intermediateSize();
    }

    /// Returns the number of norms of a layer, without those of heads. The norms of blocks' inputs come before those of their
    /// results.
    public int normsOfLayer() {
        return (framed() ? 2 : 0) + (normsResults() ? 2 : 0);
    }

    /// Returns whether the inputs of blocks are normed.
    public boolean framed() {
        return config.form().norms().place().reads();
    }

    /// Returns whether the results of blocks are normed before they are added to the stream.
    public boolean normsResults() {
        return config.form().norms().place().results();
    }

    /// Returns whether the norm before a layer's attention is folded: the kernel that writes the stream, and the product that reads
    /// it, compute it.
    ///
    /// @param layer the number of layers gives the final norm, for which the last layer's kernel is the same as the others'
    public boolean foldsAttentionNorm(int layer) {
        return folds() && config.fusion().isEmpty() && (layer == 0 || !config.sparse(layer - 1));
    }

    /// Returns whether the norm before a layer's feed-forward layer is folded.
    public boolean foldsFeedForwardNorm(int layer) {
        return folds() && !config.sparse(layer);
    }

    private boolean folds() {
        return framed() && !normsResults() && !centred() && !config.form().parallel();
    }

    /// Returns the number of norms of a layer that have their own kernel.
    public int normKernels(int layer) {
        return normsOfLayer()
                - (foldsAttentionNorm(layer) ? 1 : 0)
                - (foldsFeedForwardNorm(layer) ? 1 : 0);
    }

    /// Returns the number of blocks of the residual stream's rows: groups of the products that write it.
    public int blocks() {
        return Math.ceilDiv(config.hiddenSize(), PassCost.TILE);
    }

    /// Returns the length of the array of normed rows: `[maxRows, hidden]`, and sums of squares `[maxRows, blocks]`.
    public int normedRows() {
        return maxRows * (config.hiddenSize() + blocks());
    }

    /// Returns whether norms subtract the mean and add a bias.
    public boolean centred() {
        return config.form().norms().kind() == NormKind.LAYER;
    }

    /// Returns the length of a norm: weights, followed by biases if there are any.
    public int normSize() {
        return centred() ? 2 * config.hiddenSize() : config.hiddenSize();
    }

    /// Returns the length of the array of norms: those of every layer, the final norm, and those of a draft layer's input.
    public int norms() {
        int decoder = (normsOfLayer() * config.layers() + 1) * normSize();
        return config.fusion()
                .map(each -> fusion().norm(FusionNorm.CAPTURED, 0) + each.capturedWidth())
                .orElse(decoder);
    }

    /// Returns the start of a norm.
    ///
    /// @param number index of the norm in its layer, from 0
    public int norm(int layer, int number) {
        return (layer * normsOfLayer() + number) * normSize();
    }

    /// Returns the length of a layer's norms of queries and keys, those of the queries first.
    public int headNormsOfLayer() {
        return headNormSize(config.heads()) + headNormSize(config.keyValueHeads());
    }

    /// Returns the length of a norm of queries or keys, which is over one head, or over all heads together.
    public int headNormSize(int heads) {
        return (config.form().norms().wholeQueries() ? heads : 1) * config.headSize();
    }

    /// Returns the length of the array of head norms, or 1 without any.
    public int headNorms() {
        return config.queryKeyNorm() ? config.layers() * headNormsOfLayer() : 1;
    }

    /// Returns how many numbers of a head a layer rotates, which are the first ones.
    public int rotary(int layer) {
        boolean rotated = config.form().rotary() && config.kind(layer) != LayerKind.UNROTATED;
        return rotated ? config.rotarySize() : 0;
    }

    /// Returns how many of these the kernel of the projection rotates: none if a norm follows the projection.
    public int rotaryOfProjection(int layer) {
        return config.queryKeyNorm() ? 0 : rotary(layer);
    }

    /// Returns the length of one table of cosines and sines.
    public int rotations() {
        return config.form().rotary() ? config.maxPositions() * config.rotarySize() : 2;
    }

    /// Returns the number of tables of cosines and sines: two if layers with a window have separate angles.
    public int rotationTables() {
        return config.form().rotary() && config.localRopeTheta().isPresent() ? 2 : 1;
    }

    /// Returns the start of a layer's table of cosines.
    public int rotation(int layer) {
        boolean local = layer < config.layers() && config.kind(layer) == LayerKind.LOCAL;
        return local && rotationTables() == 2 ? rotations() : 0;
    }

    /// Returns whether position vectors are added to embeddings.
    public boolean placed() {
        return config.form().positions() instanceof Positions.Learned
                || config.form().positions() instanceof Positions.Sinusoidal;
    }

    /// Returns the length of the array of position vectors, or 1 without any.
    public int positions() {
        return placed() ? Math.multiplyExact(config.maxPositions(), config.hiddenSize()) : 1;
    }

    private int biasesPerLayer() {
        int down = Math.max(config.hiddenSize(), experts().biases(Weight.EXPERT_DOWN));
        int others = experts().scores() + config.heads();
        return queryKeyValueOutputs() + config.hiddenSize() + gateUpBiases() + down + others;
    }

    private int gateUpBiases() {
        return Math.max(gateUpOutputs(), experts().biases(Weight.EXPERT_UP));
    }

    private static int width(DecoderConfig config) {
        return config.keyValueHeads() * config.headSize();
    }
}
