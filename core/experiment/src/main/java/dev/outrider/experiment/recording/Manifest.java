package dev.outrider.experiment.recording;

import java.util.List;
import java.util.Optional;

/// `recording.json`: what was recorded, and why the rest was not.
///
/// @param format    [RecordingFiles#FORMAT]
/// @param seed      of the run
/// @param topTokens most tokens of a distribution that were kept one by one
/// @param sides     every variant, in the order of the configuration
public record Manifest(int format, long seed, int topTokens, List<Side> sides) {
    public Manifest {
        sides = List.copyOf(sides);
    }

    /// A variant.
    ///
    /// @param name        of the variant
    /// @param baseline    plain decoding, whose texts were read
    /// @param drafter     name of its drafter
    /// @param rule        that decided in the run
    /// @param temperature of sampling; 0 is greedy
    /// @param refusal     why its drafts are not recorded; absent if they are
    public record Side(
            String name,
            String baseline,
            String drafter,
            String rule,
            double temperature,
            Optional<String> refusal) {}
}
