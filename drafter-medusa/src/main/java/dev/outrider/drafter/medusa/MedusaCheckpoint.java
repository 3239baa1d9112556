package dev.outrider.drafter.medusa;

import dev.outrider.common.Undo;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Heads in a checkpoint of any published layout, every tensor of which has been checked: none missing, none of a wrong
/// shape, none unknown.
///
/// The number of heads is counted in the tensors; the configurations of published checkpoints state too few.
///
/// Thread-safe. The caller closes it.
final class MedusaCheckpoint implements AutoCloseable {
    /// Name of the published file, without its ending.
    static final String FILE = "medusa_lm_head";

    private static final int MAX_HEADS = 64;

    private final CheckpointTensors tensors;
    private final HeadTensors reader;
    private final MedusaLayout layout;
    private final VectorHeads.Sizes sizes;
    private final boolean biased;
    private final int[] tokenMap;
    private final int vocabulary;

    private MedusaCheckpoint(CheckpointTensors tensors, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        reader = new HeadTensors(tensors, "Medusa (versions 1 and 2, or a full model) or vLLM");
        this.vocabulary = vocabulary;
        var names = tensors.names();
        layout = MedusaLayout.of(names).orElseThrow(this::unknownLayout);
        var size = layout.size(names);
        if (size.heads() > MAX_HEADS || size.layers() > MAX_HEADS) {
            throw unsupported(
                    "'%s' names %d heads of %d blocks; expected at most %d of each"
                            .formatted(source(), size.heads(), size.layers(), MAX_HEADS));
        }
        biased = names.stream().anyMatch(name -> layout.isBlock(name) && name.endsWith(".bias"));
        var projection = findProjection();
        tokenMap = readTokenMap(projection, vocabulary);
        int rows = tokenMap.length == 0 ? vocabulary : tokenMap.length;
        sizes = new VectorHeads.Sizes(hiddenSize, rows, size.heads(), size.layers(), projection);
        checkTensors();
    }

    /// Opens and checks a folder.
    ///
    /// @param hiddenSize the target's
    /// @param vocabulary number of the target's logits
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_SHAPE_MISMATCH`, `MODEL_CONFIG_INVALID`, `PICKLE_REFUSED`,
    ///                           `DRAFTER_VOCABULARY_MISMATCH`, or what reading safetensors may raise
    static MedusaCheckpoint open(Path folder, int hiddenSize, int vocabulary) {
        var directory = ModelPaths.open(folder);
        var tensors = HeadTensors.open(directory, FILE);
        return Undo.onFailure(
                tensors::close,
                () -> {
                    var checkpoint = new MedusaCheckpoint(tensors, hiddenSize, vocabulary);
                    directory.optional("config.json").ifPresent(checkpoint::checkConfig);
                    return checkpoint;
                });
    }

    /// Returns the sizes of the heads.
    VectorHeads.Sizes sizes() {
        return sizes;
    }

    /// Returns the target's token for each of a head's logits; empty if they are the target's.
    int[] tokenMap() {
        return tokenMap.clone();
    }

    /// Returns the digest of the files.
    String digest() {
        return tensors.digest();
    }

    /// Returns the names of the heads' tensors.
    MedusaLayout names() {
        return layout;
    }

    /// Returns the numbers.
    HeadMatrices.Source matrices() {
        return reader::matrix;
    }

    /// Loads heads.
    ///
    /// @param count    heads that are used, from the first; at least 1
    /// @param matrices theirs; closed with the heads
    /// @param target   its weights, for heads that use its projection; closed with the heads
    VectorHeads load(int count, HeadMatrices matrices, Optional<TargetWeights> target) {
        return new VectorHeads(sizes, layout, count, matrices, target, tokenMap, vocabulary);
    }

    /// Returns the tensors in the form of Medusa's first version: a bias in every block, which is zero if there was none, and a
    /// projection for every head.
    ///
    /// @return valid until this is closed
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if heads use the target's projection or have other tokens
    List<StoredTensor> inFirstVersion() {
        if (sizes.projection() == VectorHeads.Projection.TARGET || tokenMap.length > 0) {
            throw unsupported(
                    "'%s' has heads %s, which Medusa's first version does not have"
                            .formatted(
                                    source(),
                                    sizes.projection() == VectorHeads.Projection.TARGET
                                            ? "without a projection of their own"
                                            : "for some of the target's tokens"));
        }
        var written = new ArrayList<StoredTensor>();
        for (int head = 0; head < sizes.heads(); head++) {
            for (int layer = 0; layer < sizes.layers(); layer++) {
                var name = MedusaLayout.MEDUSA.block(head, layer);
                var block = layout.block(head, layer);
                var weight = tensors.tensor(block + ".weight");
                written.add(named(name + ".weight", weight));
                written.add(
                        biased
                                ? named(name + ".bias", tensors.tensor(block + ".bias"))
                                : zeros(name + ".bias", weight.row(0)));
            }
            written.add(
                    named(
                            MedusaLayout.MEDUSA.projection(head, sizes.layers()) + ".weight",
                            tensors.tensor(sizes.projectionName(layout, head) + ".weight")));
        }
        return written;
    }

    private static StoredTensor named(String name, StoredTensor tensor) {
        return new StoredTensor(name, tensor.type(), tensor.shape(), tensor.data());
    }

    private StoredTensor zeros(String name, StoredTensor like) {
        var bytes = new byte[Math.toIntExact(like.data().byteSize())];
        return new StoredTensor(
                name,
                like.type(),
                List.of((long) sizes.hiddenSize()),
                MemorySegment.ofArray(bytes));
    }

    @Override
    public void close() {
        tensors.close();
    }

    private VectorHeads.Projection findProjection() {
        var names = tensors.names();
        if (names.stream().anyMatch(layout::isProjection)) {
            return VectorHeads.Projection.PER_HEAD;
        }
        return layout.oneProjection()
                        .map(name -> name + ".weight")
                        .filter(names::contains)
                        .isPresent()
                ? VectorHeads.Projection.ONE
                : VectorHeads.Projection.TARGET;
    }

    private int[] readTokenMap(VectorHeads.Projection projection, int vocabulary) {
        var stored = layout.tokenMap().flatMap(tensors::find);
        if (stored.isEmpty()) {
            return new int[0];
        }
        var name = stored.get().name();
        if (projection == VectorHeads.Projection.TARGET) {
            throw unsupported(
                    "'%s' has a '%s' but no projection whose rows it could name"
                            .formatted(source(), name));
        }
        var tokens = stored.get().toLongs();
        var map = new int[tokens.length];
        var seen = new HashSet<Long>();
        for (int i = 0; i < map.length; i++) {
            if (tokens[i] < 0 || tokens[i] >= vocabulary || !seen.add(tokens[i])) {
                throw ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
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
        int hidden = sizes.hiddenSize();
        for (int head = 0; head < sizes.heads(); head++) {
            for (int layer = 0; layer < sizes.layers(); layer++) {
                var block = layout.block(head, layer);
                reader.require(block + ".weight", hidden, hidden);
                if (biased) {
                    reader.require(block + ".bias", hidden);
                }
            }
        }
        var each = tokenMap.length == 0 ? "logit of the target" : "token of its token_map";
        for (int head = 0; head < sizes.projections(sizes.heads()); head++) {
            var name = sizes.projectionName(layout, head);
            reader.requireTokens(name + ".weight", sizes.rows(), hidden, each);
        }
        var one = layout.oneProjection().map(name -> name + ".weight");
        reader.refuseUnknown(
                "%d heads of %d blocks".formatted(sizes.heads(), sizes.layers()),
                name ->
                        layout.ofTarget(name)
                                || one.filter(name::equals).isPresent()
                                || layout.tokenMap().filter(name::equals).isPresent());
        if (sizes.projection() == VectorHeads.Projection.PER_HEAD
                && one.filter(reader::has).isPresent()) {
            throw unsupported(
                    "'%s' has projections of each head and one of all heads".formatted(source()));
        }
    }

    private void checkConfig(Path file) {
        var config = ConfigNode.read(file);
        HeadTensors.requireWidth(config, sizes.hiddenSize());
        var key = layout.layersKey();
        int layers = config.positive(key, sizes.layers());
        if (layers != sizes.layers()) {
            throw ErrorCode.MODEL_CONFIG_INVALID.error(
                    "'%s' says %s %d, but the heads in '%s' have %d blocks"
                            .formatted(file, key, layers, source(), sizes.layers()),
                    "Check that config.json and the weights belong together.");
        }
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
}
