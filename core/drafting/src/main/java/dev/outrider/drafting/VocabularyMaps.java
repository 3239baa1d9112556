package dev.outrider.drafting;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The maps between a draft vocabulary and the target's: `d2t` contains offsets, so that draft id i means target id
/// `i + d2t[i]`, and `t2d` says for every target id whether it is in the draft vocabulary.
public final class VocabularyMaps {
    /// The map of offsets.
    public static final String OFFSETS = "d2t";

    /// The map of members.
    public static final String MEMBERS = "t2d";

    /// The names of both.
    public static final Set<String> NAMES = Set.of(OFFSETS, MEMBERS);

    private VocabularyMaps() {}

    /// Reads and checks the maps that exist.
    ///
    /// @param width      logits of the head
    /// @param targetSize logits of the target
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if the head is narrower than the target and there is no map,
    ///                           `DRAFTER_VOCABULARY_MISMATCH` if the maps contradict each other or the target
    public static DraftVocabulary read(CheckpointTensors tensors, int width, int targetSize) {
        var offsets = tensors.find(OFFSETS);
        var members = tensors.find(MEMBERS);
        if (offsets.isEmpty() && members.isEmpty()) {
            if (width == targetSize) {
                return new DraftVocabulary(width, targetSize);
            }
            throw ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "'%s' has a head of %d tokens for a target of %d, and neither '%s' nor '%s' that would say which"
                            .formatted(tensors.source(), width, targetSize, OFFSETS, MEMBERS),
                    "Take a checkpoint with both maps; vocabularies are not guessed.");
        }
        members.ifPresent(map -> requireLength(tensors, map, targetSize, "target ids"));
        int[] tokens =
                offsets.isPresent()
                        ? tokens(tensors, offsets.get(), width, targetSize)
                        : tokens(members.orElseThrow());
        if (tokens.length != width) {
            throw broken(
                    tensors,
                    "'%s' selects %d tokens, the head has %d"
                            .formatted(MEMBERS, tokens.length, width));
        }
        members.ifPresent(map -> requireMembers(tensors, map, tokens));
        return DraftVocabulary.of(tokens, targetSize);
    }

    /// Returns both maps of a vocabulary, in the form of checkpoints.
    public static List<StoredTensor> stored(DraftVocabulary vocabulary) {
        var offsets = new long[vocabulary.width()];
        var members = new boolean[vocabulary.targetSize()];
        for (int id = 0; id < offsets.length; id++) {
            offsets[id] = vocabulary.token(id) - id;
            members[vocabulary.token(id)] = true;
        }
        return List.of(
                StoredTensor.ofLongs(OFFSETS, offsets, offsets.length),
                StoredTensor.ofBooleans(MEMBERS, members, members.length));
    }

    private static int[] tokens(
            CheckpointTensors tensors, StoredTensor offsets, int width, int targetSize) {
        requireLength(tensors, offsets, width, "logits of the head");
        var values = offsets.toLongs();
        var tokens = new int[width];
        for (int id = 0; id < width; id++) {
            long token = id + values[id];
            int before = id == 0 ? -1 : tokens[id - 1];
            if (token <= before || token >= targetSize) {
                throw broken(
                        tensors,
                        "'%s' maps draft id %d to target id %d; expected above %d and below %d"
                                .formatted(OFFSETS, id, token, before, targetSize));
            }
            tokens[id] = (int) token;
        }
        return tokens;
    }

    private static int[] tokens(StoredTensor members) {
        var values = members.toLongs();
        return IntStream.range(0, values.length).filter(id -> values[id] != 0).toArray();
    }

    private static void requireMembers(
            CheckpointTensors tensors, StoredTensor members, int[] tokens) {
        var values = members.toLongs();
        for (int id = 0; id < tokens.length; id++) {
            if (values[tokens[id]] == 0) {
                throw broken(
                        tensors,
                        "'%s' maps draft id %d to target id %d, which '%s' leaves out"
                                .formatted(OFFSETS, id, tokens[id], MEMBERS));
            }
        }
        long selected = IntStream.range(0, values.length).filter(id -> values[id] != 0).count();
        if (selected != tokens.length) {
            throw broken(
                    tensors,
                    "'%s' selects %d tokens, '%s' maps to %d"
                            .formatted(MEMBERS, selected, OFFSETS, tokens.length));
        }
    }

    private static void requireLength(
            CheckpointTensors tensors, StoredTensor map, int expected, String what) {
        if (map.shape().size() != 1 || map.elements() != expected) {
            throw broken(
                    tensors,
                    "'%s' has shape %s; expected [%d], the number of %s"
                            .formatted(map.name(), map.shape(), expected, what));
        }
    }

    private static OutriderException broken(CheckpointTensors tensors, String problem) {
        return ErrorCode.DRAFTER_VOCABULARY_MISMATCH.error(
                "in '%s' %s".formatted(tensors.source(), problem),
                "Choose a head that was trained for this target; its maps and its head must belong"
                        + " together.");
    }
}
