package dev.outrider.nn.target;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.TreeSet;

/// The target's failures that users can act on, each worded in one place.
final class TargetErrors {
    private TargetErrors() {}

    static OutriderException capacityExceedsPositions(String target, int capacity, int positions) {
        return ErrorCode.CONTEXT_EXCEEDED.error(
                "a sequence of %d tokens was asked for, but target '%s' has %d positions."
                        .formatted(capacity, target, positions),
                "Shorten the prompt, lower the number of new tokens or the draft size, or choose a target with a longer context.");
    }

    static OutriderException cacheFull(String target, int length, int added, int capacity) {
        return ErrorCode.CONTEXT_EXCEEDED.error(
                "%d tokens after %d do not fit into the %d rows this sequence of target '%s' was opened with."
                        .formatted(added, length, capacity, target),
                "Open the sequence with room for the longest text plus the largest draft.");
    }

    static OutriderException tokenOutOfRange(String target, int token, int index, int vocabulary) {
        return ErrorCode.TOKEN_OUT_OF_RANGE.error(
                "token %d at index %d is not between 0 and %d, the vocabulary of target '%s'."
                        .formatted(token, index, vocabulary - 1, target),
                "Encode the text with the tokenizer of the target's own checkpoint.");
    }

    static OutriderException sourceMissing(String target) {
        return ErrorCode.SOURCE_MISSING.error(
                "target '%s' is an encoder-decoder, but the sequence has no source for its encoder."
                        .formatted(target),
                "Give every prompt a 'source': the text to translate or summarise.");
    }

    static OutriderException sourceUnexpected(String target, int length) {
        return ErrorCode.SOURCE_UNEXPECTED.error(
                "the sequence has a source of %d tokens, but target '%s' is a decoder alone and has no encoder to read it."
                        .formatted(length, target),
                "Write the text into the prompt, or use an encoder-decoder such as T5 or BART.");
    }

    static OutriderException sourceTooLong(String target, int length, int positions) {
        return ErrorCode.CONTEXT_EXCEEDED.error(
                "a source of %d tokens was given, but the encoder of target '%s' reads at most %d."
                        .formatted(length, target, positions),
                "Shorten the source, or choose a target that reads longer ones.");
    }

    static OutriderException outOfMemory(String what, String target, long demand, long available) {
        return ErrorCode.OUT_OF_MEMORY.error(
                "%s of target '%s' takes %s, but %s are available."
                        .formatted(what, target, mebibytes(demand), mebibytes(available)),
                "Open shorter or fewer sequences, or free memory.");
    }

    static OutriderException noSuchLayers(String target, LayerSubset asked, int layers) {
        return ErrorCode.CAPABILITY_MISSING.error(
                "a drafter asked target '%s' for passes of %s, but it has %d layers"
                        .formatted(target, described(asked), layers),
                "Name layers that the target has; they count from 0.");
    }

    private static String described(LayerSubset asked) {
        return switch (asked) {
            case LayerSubset.First(int first) -> "its first %d layers".formatted(first);
            case LayerSubset.Without(var attention, var feedForward) ->
                    "all layers without attention in %s and feed-forward in %s"
                            .formatted(new TreeSet<>(attention), new TreeSet<>(feedForward));
        };
    }

    static OutriderException usedByTwo(String target, String other) {
        return ErrorCode.CONTRACT_BROKEN.error(
                "thread '%s' uses a session of target '%s' while thread '%s' does"
                        .formatted(Thread.currentThread().getName(), target, other),
                "Open a session for each thread, or let one finish before the other begins.");
    }

    private static String mebibytes(long bytes) {
        return "%d MiB".formatted(Math.ceilDiv(bytes, 1L << 20));
    }
}
