package dev.outrider.drafter.medusa.sequence;

import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// Hydra's heads in a checkpoint of the authors' layout, every tensor of which has been checked: none missing, none of a wrong shape,
/// none unknown. Heads that have no projection use the target's, which the authors' do not do.
///
/// Thread-safe. The caller closes it.
///
/// @see "zankner/Hydra, hydra/model/hydra_heads/mlp_head.py and hydra/model/hydra_model.py"
final class HydraCheckpoint implements HydraHeads.Weights, AutoCloseable {
    private static final int MAX = 64;
    private static final Pattern BLOCK =
            Pattern.compile("hydra_mlp\\.(\\d{1,6})\\.(\\d{1,6})\\.linear\\.weight");

    /// The target's embedding, which the authors' program holds in the heads and therefore stores with them.
    private static final String EMBEDDING = "input_embed_fn.weight";

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final int hiddenSize;
    private final int vocabulary;
    private final boolean ownProjection;
    private int heads;
    private int layers;

    private HydraCheckpoint(CheckpointTensors tensors, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        this.hiddenSize = hiddenSize;
        this.vocabulary = vocabulary;
        reader = new HeadTensors(tensors, "Hydra's authors, hydra_head_arch 'mlp'");
        count();
        ownProjection = reader.has(projectionName(0) + ".weight");
    }

    /// Opens and checks a folder.
    ///
    /// @param hiddenSize the target's
    /// @param vocabulary number of the target's logits
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_SHAPE_MISMATCH`, `MODEL_CONFIG_INVALID`, `PICKLE_REFUSED`,
    ///                           `DRAFTER_VOCABULARY_MISMATCH`, or what reading safetensors may raise
    static HydraCheckpoint open(Path folder, int hiddenSize, int vocabulary) {
        var directory = ModelPaths.open(folder);
        var tensors = HeadTensors.open(directory, "hydra_lm_head");
        try {
            var checkpoint = new HydraCheckpoint(tensors, hiddenSize, vocabulary);
            directory
                    .optional("config.json")
                    .map(ConfigNode::read)
                    .ifPresent(checkpoint::checkConfig);
            checkpoint.checkTensors();
            return checkpoint;
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    /// Loads a drafter.
    static Drafter open(HydraConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var precision = SequenceHeads.precision(config.precision(), target);
        try (var checkpoint =
                open(config.path(), description.hiddenSize(), description.vocabularySize())) {
            int depth = config.draft().plan().maxDepth();
            if (depth > checkpoint.heads()) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "drafts of drafter '%s' are %d deep, but %s has %d heads"
                                .formatted("hydra", depth, config.path(), checkpoint.heads()),
                        "Give a 'length' or 'tree' of at most %d levels."
                                .formatted(checkpoint.heads()));
            }
            var heads =
                    new HydraHeads(checkpoint, depth, precision, TargetWeights.of("hydra", target));
            return new SequenceDrafter(
                    heads, config.draft(), checkpoint.parameters(depth), checkpoint.digest());
        }
    }

    /// Returns the digest of the files.
    String digest() {
        return tensors.digest();
    }

    /// Returns how many numbers are in the first `count` heads.
    long parameters(int count) {
        long sum = 0;
        for (int head = 0; head < count; head++) {
            long first = 2 * ((long) (head + 2) * hiddenSize + 1) * hiddenSize;
            long further = (layers - 1) * ((long) hiddenSize + 1) * hiddenSize;
            boolean biased = reader.has(projectionName(head) + ".bias");
            long own = ownProjection ? ((long) hiddenSize + (biased ? 1 : 0)) * vocabulary : 0;
            sum += first + further + own;
        }
        return sum;
    }

    @Override
    public int hiddenSize() {
        return hiddenSize;
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public int heads() {
        return heads;
    }

    @Override
    public int layers() {
        return layers;
    }

    @Override
    public HeadTensors.Matrix block(int head, int layer) {
        return reader.matrix(blockName(head, layer), hiddenSize, read(head, layer));
    }

    @Override
    public HeadTensors.Matrix residual(int head) {
        return reader.matrix(residualName(head), hiddenSize, read(head, 0));
    }

    @Override
    public Optional<HeadTensors.Matrix> projection(int head) {
        return ownProjection
                ? Optional.of(reader.matrix(projectionName(head), vocabulary, hiddenSize))
                : Optional.empty();
    }

    @Override
    public void close() {
        tensors.close();
    }

    /// Returns how many numbers a block reads.
    private int read(int head, int layer) {
        return layer == 0 ? (head + 2) * hiddenSize : hiddenSize;
    }

    /// Counts heads and blocks by the names of tensors.
    private void count() {
        for (var name : reader.names()) {
            var match = BLOCK.matcher(name);
            if (match.matches()) {
                heads = Math.max(heads, Integer.parseInt(match.group(1)) + 1);
                layers = Math.max(layers, Integer.parseInt(match.group(2)) + 1);
            }
        }
        if (heads == 0) {
            throw reader.unsupported(
                    "'%s' holds no Hydra heads: there is no tensor like hydra_mlp.0.0.linear.weight; the first are %s"
                            .formatted(
                                    reader.source(),
                                    reader.names().stream().sorted().limit(3).toList()));
        }
        if (heads > MAX || layers > MAX) {
            throw reader.unsupported(
                    "'%s' names %d heads of %d blocks; expected at most %d of each"
                            .formatted(reader.source(), heads, layers, MAX));
        }
    }

    private void checkTensors() {
        for (int head = 0; head < heads; head++) {
            for (int layer = 0; layer < layers; layer++) {
                reader.requireBiased(blockName(head, layer), hiddenSize, read(head, layer));
            }
            reader.requireBiased(residualName(head), hiddenSize, read(head, 0));
            if (ownProjection) {
                var name = projectionName(head);
                reader.requireTokens(
                        name + ".weight", vocabulary, hiddenSize, "logit of the target");
                if (reader.has(name + ".bias")) {
                    reader.require(name + ".bias", vocabulary);
                }
            }
        }
        reader.refuseUnknown("%d heads of %d blocks".formatted(heads, layers), EMBEDDING::equals);
    }

    private void checkConfig(ConfigNode config) {
        var architecture = config.text("hydra_head_arch", "mlp");
        if (!architecture.equals("mlp")) {
            throw reader.unsupported(
                    "'%s' says hydra_head_arch '%s'; expected 'mlp'"
                            .formatted(config.path(), architecture));
        }
        if (!config.truth("grounded_heads", true)) {
            throw reader.unsupported(
                    "'%s' says grounded_heads false: heads that do not see the tokens drafted before them; expected true"
                            .formatted(config.path()));
        }
        int offset = config.natural("hidden_state_offset", 0);
        if (offset != 0) {
            throw reader.unsupported(
                    "'%s' says hidden_state_offset %d, heads on an earlier layer's state; expected 0"
                            .formatted(config.path(), offset));
        }
        HeadTensors.requireTarget(config, hiddenSize, vocabulary);
        reader.requireSame(config, "hydra_num_heads", heads, "heads");
        reader.requireSame(config, "hydra_num_layers", layers, "blocks a head");
    }

    /// Returns the name of the linear layer of a block, without `.weight` or `.bias`.
    static String blockName(int head, int layer) {
        return "hydra_mlp.%d.%d.linear".formatted(head, layer);
    }

    /// Returns the name of the matrix beside the first block, which brings hidden state and embeddings to the hidden size;
    /// without `.weight` or `.bias`.
    static String residualName(int head) {
        return "hydra_mlp.%d.0.res_connection".formatted(head);
    }

    /// Returns the name of a head's own vocabulary projection, without `.weight` or `.bias`.
    static String projectionName(int head) {
        return "hydra_lm_head.%d".formatted(head);
    }
}
