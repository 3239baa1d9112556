package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.feature.TargetFit;
import dev.outrider.drafting.head.HeadCheckpoint;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Heads of Hydra++ in Java's vector code. A state is the prefix layer's state s and the embeddings of all tokens since, end to
/// end: head i reads `x = [s; e_0; ..; e_i]`, e_0 the root's. Its first block is `R x + r + SiLU(W x + b)`; W and R are one
/// product. Further blocks are `x + SiLU(W x + b)`.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
final class PrefixHeads implements SequenceHeads {
    private final FeatureNetwork layer;
    private final TargetWeights target;
    private final HeadMatrices matrices;
    private final List<Head> heads;
    private final int size;
    private final int vocabulary;

    /// @param first W above R
    private record Head(
            VectorLinear first, List<VectorLinear> further, Optional<VectorLinear> projection) {}

    /// @param layer    the prefix layer; closed with the heads
    /// @param layout   of the heads
    /// @param guesses  heads that are used, from the first; at least 1
    /// @param matrices where their numbers come from; closed with the heads
    /// @param target   has the embeddings and, for heads without one, the projection
    PrefixHeads(
            FeatureNetwork layer,
            PrefixLayout layout,
            int guesses,
            HeadMatrices matrices,
            TargetWeights target) {
        this.layer = layer;
        this.target = target;
        this.matrices = matrices;
        size = layout.config().hiddenSize();
        vocabulary = layout.config().vocabularySize();
        heads = new ArrayList<>();
        for (int head = 0; head < guesses; head++) {
            heads.add(load(layout, head));
        }
    }

    /// Loads a drafter.
    static Drafter open(HydraPlusPlusConfig config, DrafterContext context) {
        var keys = config.head();
        var target = context.target();
        var name = HydraPlusPlusPlugin.NAME;
        var directory = ModelPaths.open(keys.path());
        var root = ConfigNode.read(directory.config());
        try (var tensors = HeadTensors.open(directory, "hydra_lm_head")) {
            var head =
                    HeadCheckpoint.read(
                            name,
                            keys.path(),
                            tensors,
                            target.description(),
                            PrefixLayout::headTensors,
                            () -> PrefixLayout.read(root, tensors, target));
            int depth = keys.drafting().plan().maxDepth();
            requireDepth(config, depth, head.layout().heads());
            var source = new HeadTensors(tensors, "Hydra's authors, hydra_head_arch 'prefix-mlp'");
            var layer =
                    new TargetFit(name, target)
                            .load(head.layout().config(), head.weights(), keys.precision());
            var matrices = new HeadMatrices(source::matrix, keys.precision(target));
            try {
                var heads =
                        new PrefixHeads(
                                layer,
                                head.layout(),
                                depth,
                                matrices,
                                TargetWeights.of(name, target));
                head.log(name, keys.path());
                return new SequenceDrafter(
                        heads,
                        keys.drafting(),
                        Optional.empty(),
                        matrices.parameters() + Weight.parameters(head.layout().config()),
                        tensors.digest());
            } catch (RuntimeException e) {
                matrices.close();
                layer.close();
                throw e;
            }
        }
    }

    private static void requireDepth(HydraPlusPlusConfig config, int depth, int heads) {
        if (depth > heads) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "drafts of drafter '%s' are %d deep, but %s has %d heads"
                            .formatted(
                                    HydraPlusPlusPlugin.NAME, depth, config.head().path(), heads),
                    "Give a 'length' or 'tree' of at most %d levels.".formatted(heads));
        }
    }

    private Head load(PrefixLayout layout, int head) {
        int read = (head + 2) * size;
        var further = new ArrayList<VectorLinear>();
        for (int block = 1; block < layout.blocks(); block++) {
            further.add(matrices.load(layout.storedBlock(head, block), size, size));
        }
        return new Head(
                matrices.load(
                        matrices.read(PrefixLayout.block(head, 0), size, read)
                                .above(matrices.read(PrefixLayout.residual(head), size, read))),
                further,
                layout.ownProjection()
                        ? Optional.of(
                                matrices.load(PrefixLayout.projection(head), vocabulary, size))
                        : Optional.empty());
    }

    @Override
    public int guesses() {
        return heads.size();
    }

    @Override
    public int vocabulary() {
        return vocabulary;
    }

    @Override
    public StateReader reader(int capacity) {
        return new PrefixReader(layer, capacity);
    }

    @Override
    public float[] start(float[] hidden) {
        return hidden;
    }

    @Override
    public List<float[]> after(List<float[]> states, int[] tokens) {
        float[] embeddings = target.embeddings(tokens);
        var after = new ArrayList<float[]>();
        for (int row = 0; row < tokens.length; row++) {
            float[] before = states.get(row);
            var state = new float[before.length + size];
            System.arraycopy(before, 0, state, 0, before.length);
            System.arraycopy(embeddings, row * size, state, before.length, size);
            after.add(state);
        }
        return after;
    }

    @Override
    public void logits(int guess, List<float[]> states, float[] logits) {
        var head = heads.get(guess);
        int rows = states.size();
        var both = new float[rows * 2 * size];
        head.first().apply(HeadMatrices.stacked(states), rows, both);
        var gates = new float[rows * size];
        var x = new float[rows * size];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(both, 2 * row * size, gates, row * size, size);
            System.arraycopy(both, (2 * row + 1) * size, x, row * size, size);
        }
        VectorMath.addSilu(x, gates);
        HeadMatrices.residual(head.further(), x, rows);
        if (head.projection().isPresent()) {
            head.projection().get().apply(x, rows, logits);
        } else {
            target.head(x, rows, logits);
        }
    }

    @Override
    public void close() {
        matrices.close();
        layer.close();
        target.close();
    }
}
