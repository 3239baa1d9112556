package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.ScriptText.Shared;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchValue;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// The weights outside the layers in the order of [ScriptText.Shared].
///
/// @param lender whose embedding and head a stack reads that has none of its own
record SharedPacker(WeightPacker packer, Optional<BorrowedWeights> lender) {
    /// `List[Tensor]`; the caller closes it.
    TorchValue weights() {
        try (var scratch = TensorRuntime.newManager()) {
            var embedding =
                    Weight.EMBEDDING.present(config())
                            ? packer.load(Weight.EMBEDDING, 0, scratch)
                            : borrowed().embedding(packer.kind(), scratch);
            var rope =
                    RopeTable.of(config(), config().form().rotary() ? config().maxPositions() : 0);
            return TorchValue.ofTensors(
                    Stream.of(Shared.values())
                            .map(slot -> weight(slot, embedding, rope, scratch))
                            .toList());
        }
    }

    private Tensor weight(Shared slot, Tensor embedding, RopeTable rope, PtNDManager scratch) {
        return switch (slot) {
            case EMBEDDING -> embedding;
            case FINAL_NORM -> vector(Weight.FINAL_NORM, scratch);
            case FINAL_NORM_BIAS -> vector(Weight.FINAL_NORM_BIAS, scratch);
            case HEAD -> head(embedding, scratch);
            case HEAD_BIAS -> headBias(scratch);
            case COSINES -> angles(rope.headCosines(), scratch);
            case SIGNED_SINES -> angles(rope.headSignedSines(), scratch);
            case LOCAL_COSINES -> localAngles(RopeTable::headCosines, scratch);
            case LOCAL_SIGNED_SINES -> localAngles(RopeTable::headSignedSines, scratch);
            case POSITIONS -> positions(scratch);
            case RELATIVE_BIAS -> relativeBias(scratch);
            case START_NORM -> vector(Weight.START_NORM, scratch);
            case START_NORM_BIAS -> vector(Weight.START_NORM_BIAS, scratch);
            case JOIN -> packer.matrix(0, scratch, Weight.JOIN);
            case JOIN_BIAS -> vector(Weight.JOIN_BIAS, scratch);
            case REDUCTION -> packer.matrix(0, scratch, Weight.REDUCTION);
            case CAPTURED_NORM -> vector(Weight.CAPTURED_NORM, scratch);
            case EMBEDDING_NORM -> vector(Weight.EMBEDDING_NORM, scratch);
            case FEATURE_NORM -> vector(Weight.FEATURE_NORM, scratch);
        };
    }

    /// The head, with what states are multiplied by before it.
    private Tensor head(Tensor embedding, PtNDManager scratch) {
        if (config().part() == Part.ENCODER) {
            return packer.none(scratch);
        }
        boolean own = Weight.HEAD.present(config());
        if (!own && config().fusion().isPresent()) {
            return borrowed().head(packer.kind(), scratch);
        }
        var head =
                config().form().scales().head() != 1
                        ? scaled(own ? Weight.HEAD : Weight.EMBEDDING, scratch)
                        : own ? packer.load(Weight.HEAD, 0, scratch) : embedding;
        return packer.kind().headPrepacked() ? PrepackedLinear.pack(head, scratch) : head;
    }

    private Tensor scaled(Weight weight, PtNDManager scratch) {
        var numbers = packer.source().load(weight, 0, ElementType.F32, scratch).array();
        return TensorOps.get()
                .convert(
                        Tensor.of(numbers.mul((float) config().form().scales().head())),
                        packer.kind().type(),
                        scratch);
    }

    private Tensor headBias(PtNDManager scratch) {
        var bias = vector(Weight.HEAD_BIAS, scratch);
        return Weight.HEAD_BIAS.present(config())
                ? TensorOps.get().reshape(bias, scratch, config().vocabularySize())
                : bias;
    }

    /// Angles of every position for both halves of what is rotated of a head, `[positions, 1, r]`.
    private Tensor angles(float[] angles, PtNDManager scratch) {
        return config().form().rotary()
                ? packer.table(
                        angles,
                        scratch,
                        angles.length / config().rotarySize(),
                        1,
                        config().rotarySize())
                : packer.none(scratch);
    }

    private Tensor localAngles(Function<RopeTable, float[]> which, PtNDManager scratch) {
        return config().localRopeTheta().isPresent()
                ? angles(which.apply(RopeTable.ofLocal(config(), config().maxPositions())), scratch)
                : packer.none(scratch);
    }

    /// Vectors of every position, `[positions, d]`; those that were learned may begin with rows for none.
    private Tensor positions(PtNDManager scratch) {
        int positions = config().maxPositions();
        int size = config().hiddenSize();
        return config().form().positions() instanceof Positions.Sinusoidal
                ? packer.table(
                        Positions.Sinusoidal.table(positions, size), scratch, positions, size)
                : vector(Weight.POSITIONS, scratch);
    }

    /// What distances add to scores, `[distances, H]`.
    private Tensor relativeBias(PtNDManager scratch) {
        if (!(config().form().positions() instanceof Positions.Relative relative)) {
            return packer.none(scratch);
        }
        int reach = relative.reach(config().maxPositions());
        var buckets =
                packer.source()
                        .load(Weight.RELATIVE_BIAS, 0, ElementType.F32, scratch)
                        .array()
                        .toFloatArray();
        var spread =
                relative.byDistance(
                        buckets, config().heads(), reach, config().part() == Part.ENCODER);
        return TensorOps.get()
                .transpose(
                        packer.table(spread, scratch, config().heads(), 2L * reach + 1), scratch);
    }

    private Tensor vector(Weight weight, PtNDManager scratch) {
        return packer.joined(0, scratch, weight);
    }

    private BorrowedWeights borrowed() {
        return lender.orElseThrow(() ->
                new IllegalArgumentException(
                        "a stack without embedding or head needs a network to borrow them from"));
    }

    private DecoderConfig config() {
        return packer.config();
    }
}
