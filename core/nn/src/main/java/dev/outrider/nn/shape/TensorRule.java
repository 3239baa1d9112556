package dev.outrider.nn.shape;

import dev.outrider.common.Resource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The rule by which a tensor is set into a larger shape, found by its name: the names of Llama's layers and of the published
/// heads.
///
/// @param names    of the tensors, without the prefixes of their part of the model
/// @param rows     the things that the first dimension counts
/// @param columns  the things that the second dimension counts
/// @param marker   effect of the tensor on the constant in the residual stream
record TensorRule(Pattern names, Dimension rows, Dimension columns, Marker marker) {
    /// The things that a dimension counts.
    enum Dimension {
        /// Numbers of the residual stream, one vector or several.
        HIDDEN,
        /// The same, then numbers that the larger shape does not change.
        HIDDEN_AND_MORE,
        INTERMEDIATE,
        QUERIES,
        KEY_VALUES,
        HEAD,
        TOKENS,
        /// Something that the larger shape does not change.
        SAME,
        /// The tensor has no such dimension.
        NONE
    }

    /// The effect of a tensor on the constant in the residual stream.
    enum Marker {
        /// Neither reads nor writes it.
        IGNORED,
        /// An embedding: every token of the small model has it.
        SET,
        /// Copies it from the first of its inputs to its output.
        COPIED,
        /// A norm before the head: passes it on, larger.
        PASSED,
        /// A norm of embeddings before a projection that copies: restores about the former size of the constant.
        RESCALED,
        /// A head: gives a logit far below all others to a token that the small model does not have.
        EXCLUDES
    }

    private static final Set<Dimension> OF_LAYERS =
            EnumSet.of(
                    Dimension.INTERMEDIATE,
                    Dimension.QUERIES,
                    Dimension.KEY_VALUES,
                    Dimension.HEAD);

    private static final List<TensorRule> RULES =
            Resource.text(TensorRule.class, "tensor-rules.txt")
                    .lines()
                    .map(TensorRule::rule)
                    .toList();

    /// @param line dimensions of rows and columns, marker, and names: an expression whose dots are dots
    private static TensorRule rule(String line) {
        var cells = line.split(" +");
        var names = cells[3].replaceAll("(?<!\\\\)\\.", "\\\\.");
        return new TensorRule(
                Pattern.compile("(.*\\.)?(" + names + ")"),
                Dimension.valueOf(cells[0]),
                Dimension.valueOf(cells[1]),
                Marker.valueOf(cells[2]));
    }

    /// Returns the rule of a tensor, if there is one.
    static Optional<TensorRule> find(String name) {
        return RULES.stream().filter(each -> each.names.matcher(name).matches()).findFirst();
    }

    /// Returns the rule of a tensor.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if there is none
    static TensorRule of(String name) {
        return find(name)
                .orElseThrow(() ->
                        ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                                "tensor '%s' cannot be set into a larger shape; expected the names of a Llama decoder or of a published head"
                                        .formatted(name),
                                "Leave '@' and the shape out of the path of this checkpoint."));
    }

    /// Returns whether it needs the sizes or the epsilon of a decoder's layers.
    boolean ofDecoder() {
        return OF_LAYERS.contains(rows)
                || OF_LAYERS.contains(columns)
                || marker == Marker.SET
                || marker == Marker.PASSED
                || marker == Marker.RESCALED;
    }

    /// Returns the places of a dimension's numbers. The axis may have another number of them than the tensor, which then does not fit
    /// its configuration.
    ///
    /// @param size of the small tensor
    static Optional<Axis> axis(Dimension dimension, LargerShape shape, int size) {
        return switch (dimension) {
            case HIDDEN -> Optional.of(shape.hidden().times(size / shape.own().hidden()));
            case HIDDEN_AND_MORE -> {
                int rest = size % shape.own().hidden();
                var streams = shape.hidden().times(size / shape.own().hidden());
                yield Optional.of(rest == 0 ? streams : streams.then(Axis.corner(rest, rest)));
            }
            case INTERMEDIATE -> Optional.of(shape.intermediate());
            case QUERIES -> Optional.of(shape.queries());
            case KEY_VALUES -> Optional.of(shape.keyValues());
            case HEAD -> Optional.of(shape.head());
            case TOKENS -> Optional.of(shape.vocabulary());
            case SAME -> Optional.of(Axis.corner(size, size));
            case NONE -> Optional.empty();
        };
    }
}
