package dev.outrider.drafter.medusa;

import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Heads in a checkpoint of any published layout, every tensor of which has been checked: none missing, none of a wrong
/// shape, none unknown.
///
/// The number of heads is that of the tensors; the configurations of published checkpoints understate it.
///
/// Thread-safe. The caller closes it.
final class HeadCheckpoint implements HeadWeights, AutoCloseable {
    /// Name of the published file, without its ending.
    static final String FILE = "medusa_lm_head";

    private static final int MAX_HEADS = 64;

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final Layout layout;
    private final Layout.Size size;
    private final boolean biased;
    private final Projection projection;
    private final int hiddenSize;
    private final int[] tokenMap;
    private final int rows;

    private HeadCheckpoint(CheckpointTensors tensors, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        reader = new HeadTensors(tensors, "Medusa (versions 1 and 2, or a full model) or vLLM");
        this.hiddenSize = hiddenSize;
        var names = tensors.names();
        layout = Layout.of(names).orElseThrow(this::unknownLayout);
        size = layout.size(names);
        if (size.heads() > MAX_HEADS || size.layers() > MAX_HEADS) {
            throw unsupported(
                    "'%s' names %d heads of %d blocks; expected at most %d of each"
                            .formatted(source(), size.heads(), size.layers(), MAX_HEADS));
        }
        biased = names.stream().anyMatch(name -> layout.isBlock(name) && name.endsWith(".bias"));
        projection = findProjection();
        tokenMap = readTokenMap(vocabulary);
        rows = tokenMap.length == 0 ? vocabulary : tokenMap.length;
        checkTensors();
    }

    /// Opens and checks a folder.
    ///
    /// @param hiddenSize the target's
    /// @param vocabulary number of the target's logits
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_SHAPE_MISMATCH`, `MODEL_CONFIG_INVALID`, `PICKLE_REFUSED`,
    ///                           `DRAFTER_VOCABULARY_MISMATCH`, or what reading safetensors may raise
    static HeadCheckpoint open(Path folder, int hiddenSize, int vocabulary) {
        var directory = ModelPaths.open(folder);
        var tensors = HeadTensors.open(directory, FILE);
        try {
            var checkpoint = new HeadCheckpoint(tensors, hiddenSize, vocabulary);
            directory.optional("config.json").ifPresent(checkpoint::checkConfig);
            return checkpoint;
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    /// The target's token for each of a head's logits; empty if they are the target's.
    int[] tokenMap() {
        return tokenMap.clone();
    }

    /// Digest of the files.
    String digest() {
        return tensors.digest();
    }

    /// Numbers in the first `count` heads.
    long parameters(int count) {
        long block = (long) hiddenSize * hiddenSize + (biased ? hiddenSize : 0);
        long matrix = (long) rows * hiddenSize;
        long projections =
                switch (projection) {
                    case PER_HEAD -> count * matrix;
                    case ONE -> matrix;
                    case TARGET -> 0;
                };
        return (long) count * size.layers() * block + projections;
    }

    @Override
    public int hiddenSize() {
        return hiddenSize;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int heads() {
        return size.heads();
    }

    @Override
    public int layers() {
        return size.layers();
    }

    @Override
    public boolean biased() {
        return biased;
    }

    @Override
    public Projection projection() {
        return projection;
    }

    @Override
    public float[] block(int head, int layer) {
        return tensors.tensor(layout.block(head, layer, "weight")).toFloats();
    }

    @Override
    public float[] bias(int head, int layer) {
        return tensors.tensor(layout.block(head, layer, "bias")).toFloats();
    }

    @Override
    public float[] projection(int head) {
        return tensors.tensor(projectionName(head)).toFloats();
    }

    /// The tensors as Medusa's first version has them: a bias in every block, which is zero where there was none, and a
    /// projection for every head.
    ///
    /// @return they die with this
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if heads use the target's projection or have other tokens
    List<StoredTensor> inFirstVersion() {
        if (projection == Projection.TARGET || tokenMap.length > 0) {
            throw unsupported(
                    "'%s' has heads %s, which Medusa's first version does not have"
                            .formatted(
                                    source(),
                                    projection == Projection.TARGET
                                            ? "without a projection of their own"
                                            : "for some of the target's tokens"));
        }
        var written = new ArrayList<StoredTensor>();
        for (int head = 0; head < size.heads(); head++) {
            for (int layer = 0; layer < size.layers(); layer++) {
                var name = "%d.%d.linear".formatted(head, layer);
                var weight = tensors.tensor(layout.block(head, layer, "weight"));
                written.add(named(name + ".weight", weight));
                written.add(
                        biased
                                ? named(
                                        name + ".bias",
                                        tensors.tensor(layout.block(head, layer, "bias")))
                                : zeros(name + ".bias", weight.row(0)));
            }
            written.add(
                    named(
                            Layout.MEDUSA.projection(head, size.layers()),
                            tensors.tensor(projectionName(head))));
        }
        return written;
    }

    private static StoredTensor named(String name, StoredTensor tensor) {
        return new StoredTensor(name, tensor.type(), tensor.shape(), tensor.data());
    }

    private StoredTensor zeros(String name, StoredTensor like) {
        var bytes = new byte[Math.toIntExact(like.data().byteSize())];
        return new StoredTensor(
                name, like.type(), List.of((long) hiddenSize), MemorySegment.ofArray(bytes));
    }

    @Override
    public void close() {
        tensors.close();
    }

    private Projection findProjection() {
        var names = tensors.names();
        if (names.stream().anyMatch(layout::isProjection)) {
            return Projection.PER_HEAD;
        }
        return layout.oneProjection().filter(names::contains).isPresent()
                ? Projection.ONE
                : Projection.TARGET;
    }

    private int[] readTokenMap(int vocabulary) {
        var stored = layout.tokenMap().flatMap(tensors::find);
        if (stored.isEmpty()) {
            return new int[0];
        }
        var name = stored.get().name();
        if (projection == Projection.TARGET) {
            throw unsupported(
                    "'%s' has a '%s' but no projection whose rows it could name"
                            .formatted(source(), name));
        }
        var tokens = stored.get().toLongs();
        var map = new int[tokens.length];
        var seen = new HashSet<Long>();
        for (int i = 0; i < map.length; i++) {
            if (tokens[i] < 0 || tokens[i] >= vocabulary || !seen.add(tokens[i])) {
                throw new OutriderException(
                        ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                        "'%s' of '%s' has %d at place %d; expected distinct tokens between 0 and %d"
                                .formatted(name, source(), tokens[i], i, vocabulary - 1),
                        "Choose heads that were trained for this target.");
            }
            map[i] = Math.toIntExact(tokens[i]);
        }
        if (map.length == 0) {
            throw unsupported("'%s' of '%s' is empty".formatted(name, source()));
        }
        return map;
    }

    private void checkTensors() {
        for (int head = 0; head < size.heads(); head++) {
            for (int layer = 0; layer < size.layers(); layer++) {
                reader.require(layout.block(head, layer, "weight"), hiddenSize, hiddenSize);
                if (biased) {
                    reader.require(layout.block(head, layer, "bias"), hiddenSize);
                }
            }
        }
        int matrices =
                switch (projection) {
                    case PER_HEAD -> size.heads();
                    case ONE -> 1;
                    case TARGET -> 0;
                };
        var each = tokenMap.length == 0 ? "logit of the target" : "token of its token_map";
        for (int head = 0; head < matrices; head++) {
            reader.requireTokens(projectionName(head), rows, hiddenSize, each);
        }
        var one = layout.oneProjection().filter(reader::has);
        reader.refuseUnknown(
                "%d heads of %d blocks".formatted(size.heads(), size.layers()),
                name ->
                        layout.ofTarget(name)
                                || layout.oneProjection().filter(name::equals).isPresent()
                                || layout.tokenMap().filter(name::equals).isPresent());
        if (projection == Projection.PER_HEAD && one.isPresent()) {
            throw unsupported(
                    "'%s' has projections of each head and one of all heads".formatted(source()));
        }
    }

    private void checkConfig(Path file) {
        var config = ConfigNode.read(file);
        HeadTensors.requireWidth(config, hiddenSize);
        var key = layout.layersKey();
        int layers = config.positive(key, size.layers());
        if (layers != size.layers()) {
            throw new OutriderException(
                    ErrorCode.MODEL_CONFIG_INVALID,
                    "'%s' says %s %d, but the heads in '%s' have %d blocks"
                            .formatted(file, key, layers, source(), size.layers()),
                    "Check that config.json and the weights belong together.");
        }
    }

    private String projectionName(int head) {
        return projection == Projection.ONE
                ? layout.oneProjection().orElseThrow()
                : layout.projection(head, size.layers());
    }

    private Path source() {
        return tensors.source();
    }

    private OutriderException unknownLayout() {
        var some = tensors.names().stream().sorted().limit(3).toList();
        return unsupported(
                "'%s' holds no Medusa heads: there is no tensor like 0.0.linear.weight,"
                                .formatted(source())
                        + " medusa_head.0.0.linear.weight or blocks.0.layers.0.weight; the first are %s"
                                .formatted(some));
    }

    private OutriderException unsupported(String problem) {
        return reader.unsupported(problem);
    }

    /// The published ways of naming the tensors of heads.
    ///
    /// - Medusa's own: `{head}.{layer}.linear.weight` and `.bias`, then `{head}.{layers}.weight` for the projection, which the
    ///   second version leaves out; full models put `medusa_head.` before all of these.
    /// - vLLM's: `blocks.{head}.layers.{layer}.weight` and `.bias`, then `lm_heads.{head}.weight` or one `lm_head.weight`, and
    ///   optionally `token_map`; some put `medusa_heads.` before all of these.
    enum Layout {
        MEDUSA("", "(\\d+)\\.(\\d+)\\.linear\\.(?:weight|bias)", "(\\d+)\\.(\\d+)\\.weight"),
        MEDUSA_IN_MODEL(
                "medusa_head.",
                "medusa_head\\.(\\d+)\\.(\\d+)\\.linear\\.(?:weight|bias)",
                "medusa_head\\.(\\d+)\\.(\\d+)\\.weight"),
        VLLM(
                "",
                "blocks\\.(\\d+)\\.layers\\.(\\d+)\\.(?:weight|bias)",
                "lm_heads\\.(\\d+)\\.weight"),
        VLLM_PREFIXED(
                "medusa_heads.",
                "medusa_heads\\.blocks\\.(\\d+)\\.layers\\.(\\d+)\\.(?:weight|bias)",
                "medusa_heads\\.lm_heads\\.(\\d+)\\.weight");

        private static final String ONE_PROJECTION = "lm_head.weight";
        private static final String TOKEN_MAP = "token_map";
        private static final Pattern OF_TARGET = Pattern.compile("(?:model\\.|lm_head\\.).*");

        private final String prefix;
        private final Pattern blocks;
        private final Pattern projections;

        Layout(String prefix, String blocks, String projections) {
            this.prefix = prefix;
            this.blocks = Pattern.compile(blocks);
            this.projections = Pattern.compile(projections);
        }

        /// The layout some names are in, if it is a known one.
        static Optional<Layout> of(Collection<String> names) {
            return List.of(values()).stream()
                    .filter(layout -> names.stream().anyMatch(name -> layout.isBlock(name)))
                    .findFirst();
        }

        /// What a block's tensor is called.
        ///
        /// @param kind `weight` or `bias`
        String block(int head, int layer, String kind) {
            return prefix
                    + switch (this) {
                        case MEDUSA, MEDUSA_IN_MODEL ->
                                "%d.%d.linear.%s".formatted(head, layer, kind);
                        case VLLM, VLLM_PREFIXED ->
                                "blocks.%d.layers.%d.%s".formatted(head, layer, kind);
                    };
        }

        /// What a head's own projection is called.
        String projection(int head, int layers) {
            return prefix
                    + switch (this) {
                        case MEDUSA, MEDUSA_IN_MODEL -> "%d.%d.weight".formatted(head, layers);
                        case VLLM, VLLM_PREFIXED -> "lm_heads.%d.weight".formatted(head);
                    };
        }

        /// What one projection of all heads is called, where the layout has one.
        Optional<String> oneProjection() {
            return switch (this) {
                case MEDUSA, MEDUSA_IN_MODEL -> Optional.empty();
                case VLLM, VLLM_PREFIXED -> Optional.of(prefix + ONE_PROJECTION);
            };
        }

        /// What the list of tokens that the projections' rows stand for is called, where the layout has one.
        Optional<String> tokenMap() {
            return switch (this) {
                case MEDUSA, MEDUSA_IN_MODEL -> Optional.empty();
                case VLLM, VLLM_PREFIXED -> Optional.of(prefix + TOKEN_MAP);
            };
        }

        /// The key of `config.json` that says how many blocks a head has.
        String layersKey() {
            return switch (this) {
                case MEDUSA, MEDUSA_IN_MODEL -> "medusa_num_layers";
                case VLLM, VLLM_PREFIXED -> "num_hidden_layers";
            };
        }

        /// Number of heads and of each head's blocks that the names of blocks speak of: one more than the greatest.
        Size size(Collection<String> names) {
            int heads = 0;
            int layers = 0;
            for (var name : names) {
                var match = blocks.matcher(name);
                if (match.matches()) {
                    heads = Math.max(heads, number(match.group(1)) + 1);
                    layers = Math.max(layers, number(match.group(2)) + 1);
                }
            }
            return new Size(heads, layers);
        }

        /// Numbers of heads and of blocks in each.
        record Size(int heads, int layers) {}

        /// Whether a name is the target's: full models hold their decoder beside the heads.
        boolean ofTarget(String name) {
            return switch (this) {
                case MEDUSA, MEDUSA_IN_MODEL -> OF_TARGET.matcher(name).matches();
                case VLLM, VLLM_PREFIXED -> false;
            };
        }

        boolean isBlock(String name) {
            return blocks.matcher(name).matches();
        }

        boolean isProjection(String name) {
            return projections.matcher(name).matches();
        }

        /// A number from a name; longer ones than any checkpoint has are cut, and then do not fit the names expected.
        private static int number(String digits) {
            return Integer.parseInt(digits.length() > 6 ? digits.substring(0, 6) : digits);
        }
    }
}
