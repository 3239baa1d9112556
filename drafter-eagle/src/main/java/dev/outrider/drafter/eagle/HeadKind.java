package dev.outrider.drafter.eagle;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// The kinds of heads, told apart by the names of their tensors, which are the same in every dialect.
enum HeadKind {
    FIRST("eagle", "EAGLE-1") {
        @Override
        boolean recognises(Set<String> names) {
            return (names.contains("fc.weight") || names.contains("fusion_fc.weight"))
                    && !names.contains("lm_head.weight")
                    && !THIRD.recognises(names)
                    && !PARALLEL.recognises(names);
        }
    },
    THIRD("eagle3", "EAGLE-3") {
        @Override
        boolean recognises(Set<String> names) {
            return !PARALLEL.recognises(names)
                    && names.stream()
                            .anyMatch(name ->
                                    name.startsWith("midlayer.")
                                            || name.endsWith(".hidden_norm.weight"));
        }
    },
    PARALLEL("p-eagle", "P-EAGLE") {
        @Override
        boolean recognises(Set<String> names) {
            return names.contains(MaskRow.TENSOR);
        }
    };

    private final String drafter;
    private final String text;

    HeadKind(String drafter, String text) {
        this.drafter = drafter;
        this.text = text;
    }

    /// Name of the drafter that takes it.
    String drafter() {
        return drafter;
    }

    abstract boolean recognises(Set<String> names);

    /// Refuses a head that is clearly of another kind. One that is of no clear kind is left to whoever reads it.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    void require(CheckpointTensors tensors) {
        other(tensors.names())
                .ifPresent(other -> {
                    throw new OutriderException(
                            ErrorCode.CHECKPOINT_UNSUPPORTED,
                            "'%s' holds a head of %s; drafter '%s' expects one of %s"
                                    .formatted(tensors.source(), other.text, drafter, text),
                            "Choose the drafter '%s' for this head, or another head."
                                    .formatted(other.drafter));
                });
    }

    private Optional<HeadKind> other(Set<String> names) {
        return Arrays.stream(values())
                .filter(kind -> kind != this && kind.recognises(names))
                .findFirst();
    }
}
