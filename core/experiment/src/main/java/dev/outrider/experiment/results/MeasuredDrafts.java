package dev.outrider.experiment.results;

import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;

/// The drafts of one variant of a finished comparison, from which follows what they would gain where a pass of so many rows has another
/// cost.
///
/// @param variant        its name
/// @param rows           mean rows of a target pass, the root and unverified nodes included; at least 1
/// @param tokensPerRound tokens emitted a round, the following one included
/// @param speedup        over plain decoding, as measured then
public record MeasuredDrafts(String variant, double rows, double tokensPerRound, double speedup) {
    /// Reads the variants of a comparison, plain decoding left out.
    ///
    /// @param results the comparison's folder of results
    /// @throws OutriderException `DATA_INVALID` if there is no readable `details.json` in it, or nothing was drafted
    public static List<MeasuredDrafts> read(Path results) {
        var drafts =
                ResultReader.report(results).variants().stream()
                        .filter(variant -> nodes(variant) > 0)
                        .map(MeasuredDrafts::of)
                        .toList();
        if (drafts.isEmpty()) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "no variant of the comparison in '%s' drafted anything".formatted(results),
                    "Name the results of a comparison that has a drafter.");
        }
        return drafts;
    }

    static MeasuredDrafts of(VariantResult variant) {
        return new MeasuredDrafts(
                variant.name(),
                1 + (double) nodes(variant) / Math.max(1, variant.counts().rounds()),
                variant.tokensPerRound(),
                variant.speedup().value());
    }

    private static long nodes(VariantResult variant) {
        return variant.counts().drafted() + variant.counts().unverified();
    }
}
