package dev.outrider.drafting.head;

import dev.outrider.nn.network.Precision;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The back end of a drafter's own network.
public enum DraftBackend {
    /// Java's vector code.
    VECTOR(Precision.values()),

    /// A device through TornadoVM.
    TORNADO(Precision.F32, Precision.F16, Precision.INT8, Precision.INT4);

    private final Set<Precision> precisions;

    DraftBackend(Precision... precisions) {
        this.precisions = EnumSet.copyOf(Arrays.asList(precisions));
    }

    /// Refuses a number format that the back end does not have.
    ///
    /// @throws IllegalArgumentException with the formats that it has
    public void require(Optional<Precision> precision) {
        if (precision.isPresent() && !precisions.contains(precision.get())) {
            throw new IllegalArgumentException(
                    "'precision' is %s, which 'backend: %s' does not have; expected %s"
                            .formatted(
                                    lower(precision.get()),
                                    lower(this),
                                    precisions.stream()
                                            .map(DraftBackend::lower)
                                            .collect(Collectors.joining(" or "))));
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
