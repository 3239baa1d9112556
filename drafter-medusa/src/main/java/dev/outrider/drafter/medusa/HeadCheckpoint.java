package dev.outrider.drafter.medusa;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Heads in a checkpoint of any published layout, every tensor of which has been checked: none missing, none of a wrong
/// shape, none unknown.
///
/// The number of heads is that of the tensors; the configurations of published checkpoints understate it.
///
/// Thread-safe. The caller closes it.
final class HeadCheckpoint implements HeadWeights, AutoCloseable {
    private static final int MAX_HEADS = 64;

    private final CheckpointTensors tensors;
    private final HeadLayout layout;
    private final HeadLayout.Size size;
    private final boolean biased;
    private final Projection projection;
    private final int hiddenSize;
    private final int[] tokenMap;
    private final int rows;

    private HeadCheckpoint(CheckpointTensors tensors, int hiddenSize, int vocabulary) {
        this.tensors = tensors;
        this.hiddenSize = hiddenSize;
        var names = tensors.names();
        layout = HeadLayout.of(names).orElseThrow(this::unknownLayout);
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
        refuseUnknown();
    }

    /// Opens and checks a folder.
    ///
    /// @param hiddenSize the target's
    /// @param vocabulary number of the target's logits
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_UNSUPPORTED`,
    ///                           `CHECKPOINT_SHAPE_MISMATCH`, `MODEL_CONFIG_INVALID`, `PICKLE_REFUSED`,
    ///                           `DRAFTER_VOCABULARY_MISMATCH`, or what reading safetensors may raise
    static HeadCheckpoint open(Path folder, int hiddenSize, int vocabulary) {
        var directory = new Checkpoint(folder);
        var tensors = HeadFiles.open(directory);
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
                var name = MedusaNames.block(head, layer);
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
                            MedusaNames.projection(head, size.layers()),
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
                tensors.tensor(layout.block(head, layer, "weight"), hiddenSize, hiddenSize);
                if (biased) {
                    tensors.tensor(layout.block(head, layer, "bias"), hiddenSize);
                }
            }
        }
        if (projection != Projection.TARGET) {
            int matrices = projection == Projection.ONE ? 1 : size.heads();
            for (int head = 0; head < matrices; head++) {
                requireRows(projectionName(head));
            }
        }
    }

    /// Rows that do not fit are the sign of another vocabulary, which says more than a wrong shape does.
    private void requireRows(String name) {
        var shape = tensors.tensor(name).shape();
        if (shape.size() == 2 && shape.get(1) == hiddenSize && shape.get(0) != rows) {
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "'%s' of '%s' has %d rows; expected %d, one for each %s"
                            .formatted(
                                    name,
                                    source(),
                                    shape.get(0),
                                    rows,
                                    tokenMap.length == 0
                                            ? "logit of the target"
                                            : "token of its token_map"),
                    "Choose heads that were trained for this target.");
        }
        tensors.tensor(name, rows, hiddenSize);
    }

    private void refuseUnknown() {
        var known = new HashSet<String>();
        for (int head = 0; head < size.heads(); head++) {
            for (int layer = 0; layer < size.layers(); layer++) {
                known.addAll(
                        List.of(
                                layout.block(head, layer, "weight"),
                                layout.block(head, layer, "bias")));
            }
            known.add(layout.projection(head, size.layers()));
        }
        layout.oneProjection().ifPresent(known::add);
        layout.tokenMap().ifPresent(known::add);
        var unknown = new ArrayList<String>();
        for (var name : tensors.names()) {
            if (!known.contains(name) && !layout.ofTarget(name)) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            throw unsupported(
                    "'%s' has tensors that %d heads of %d blocks do not have: %s"
                            .formatted(
                                    source(),
                                    size.heads(),
                                    size.layers(),
                                    String.join(
                                            ", ", unknown.stream().sorted().limit(5).toList())));
        }
        if (projection == Projection.PER_HEAD
                && layout.oneProjection().filter(tensors.names()::contains).isPresent()) {
            throw unsupported(
                    "'%s' has projections of each head and one of all heads".formatted(source()));
        }
    }

    private void checkConfig(Path file) {
        var config = ConfigNode.read(file);
        int width = config.positive("hidden_size", hiddenSize);
        if (width != hiddenSize) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                    "'%s' says hidden_size %d; the target's is %d"
                            .formatted(file, width, hiddenSize),
                    "Choose heads that were trained for this target.");
        }
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

    private static OutriderException unsupported(String problem) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                problem,
                "Use heads in the layout of Medusa (versions 1 and 2, or a full model) or vLLM.");
    }
}
