package dev.outrider.drafter.medusa.sequence;

import dev.outrider.common.Undo;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// Hydra's heads in a checkpoint of the authors' layout. Every tensor is checked: none is missing, has a wrong shape or is unknown.
/// Heads without a projection use the target's, which the authors' heads do not.
///
/// Thread-safe. The caller closes it.
///
/// @see "zankner/Hydra, hydra/model/hydra_heads/mlp_head.py and hydra/model/hydra_model.py"
final class HydraCheckpoint implements AutoCloseable {
    /// The authors' names.
    static final HydraHeads.Names NAMES = new HydraNames();

    private static final int MAX = 64;
    private static final Pattern BLOCK =
            Pattern.compile("hydra_mlp\\.(\\d{1,6})\\.(\\d{1,6})\\.linear\\.weight");

    /// The target's embedding, which the authors' program stores with the heads.
    private static final String EMBEDDING = "input_embed_fn.weight";

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final HydraHeads.Sizes sizes;

    private HydraCheckpoint(CheckpointTensors tensors, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        reader = new HeadTensors(tensors, "Hydra's authors, hydra_head_arch 'mlp'");
        sizes = sizes(hiddenSize, vocabulary);
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
        return Undo.onFailure(
                tensors::close,
                () -> {
                    var checkpoint = new HydraCheckpoint(tensors, hiddenSize, vocabulary);
                    directory
                            .optional("config.json")
                            .map(ConfigNode::read)
                            .ifPresent(checkpoint::checkConfig);
                    checkpoint.checkTensors();
                    return checkpoint;
                });
    }

    /// Loads a drafter.
    static Drafter open(HydraConfig config, DrafterContext context) {
        var target = context.target();
        var description = target.description();
        var keys = config.head();
        try (var checkpoint =
                open(keys.path(), description.hiddenSize(), description.vocabularySize())) {
            int guesses = keys.requireDepth("hydra", checkpoint.sizes().heads());
            var matrices =
                    new HeadMatrices(
                            "hydra",
                            checkpoint.matrices(),
                            keys.precision(),
                            config.engine(),
                            target);
            var loaded =
                    checkpoint.load(
                            guesses,
                            matrices,
                            TargetWeights.of("hydra", target, matrices::loadLent));
            return new SequenceDrafter(
                    loaded,
                    keys.drafting(),
                    Optional.empty(),
                    loaded.parameters(),
                    checkpoint.tensors.digest());
        }
    }

    /// Returns the sizes of the heads.
    HydraHeads.Sizes sizes() {
        return sizes;
    }

    /// Returns the numbers.
    HeadMatrices.Source matrices() {
        return reader::matrix;
    }

    /// Loads heads.
    ///
    /// @param guesses heads that are used, from the first
    HydraHeads load(int guesses, HeadMatrices matrices, TargetWeights target) {
        return new HydraHeads(sizes, NAMES, guesses, matrices, target, _ -> StateReader.ofLast());
    }

    @Override
    public void close() {
        tensors.close();
    }

    /// Returns the sizes: heads and blocks are counted by the names of tensors.
    private HydraHeads.Sizes sizes(int hiddenSize, int vocabulary) {
        int heads = 0;
        int layers = 0;
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
        return new HydraHeads.Sizes(
                hiddenSize, vocabulary, heads, layers, reader.has(NAMES.projection(0) + ".weight"));
    }

    private void checkTensors() {
        HydraHeads.require(reader, sizes, NAMES);
        reader.refuseUnknown(
                "%d heads of %d blocks".formatted(sizes.heads(), sizes.blocks()),
                EMBEDDING::equals);
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
        HeadTensors.requireTarget(config, sizes.hiddenSize(), sizes.vocabulary());
        reader.requireSame(config, "hydra_num_heads", sizes.heads(), "heads");
        reader.requireSame(config, "hydra_num_layers", sizes.blocks(), "blocks a head");
    }

    /// Names of the tensors of Hydra's authors.
    record HydraNames() implements HydraHeads.Names {
        @Override
        public String block(int head, int block) {
            return "hydra_mlp.%d.%d.linear".formatted(head, block);
        }

        @Override
        public String residual(int head) {
            return "hydra_mlp.%d.0.res_connection".formatted(head);
        }

        @Override
        public String projection(int head) {
            return "hydra_lm_head.%d".formatted(head);
        }
    }
}
