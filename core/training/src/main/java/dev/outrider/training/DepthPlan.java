package dev.outrider.training;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How a drafter that answers mask tokens practises: at which depths, and how many places each of them keeps.
///
/// @see "An et al. 2025 (PARD), section 3.3, conditional drop tokens; Hui et al. 2026 (P-EAGLE), section 4"
public record DepthPlan(
        @Doc("Guesses that are practised, the first one, which reads no mask, included.")
                @Default("8")
                int depths,
        @Doc("Token that stands for what is to be guessed, best one that texts hardly have.")
                int maskToken,
        @Doc("Of the places of a depth, the share that the next depth keeps, in (0, 1].")
                @Default("0.7")
                double retention,
        @Doc("Share of all places that every depth keeps at least, in (0, 1].") @Default("0.2")
                double leastRetention) {
    private static final int MAX_DEPTHS = 64;

    public DepthPlan {
        if (depths < 2 || depths > MAX_DEPTHS) {
            throw new IllegalArgumentException(
                    "'depths' must be 2 to %d, got %d".formatted(MAX_DEPTHS, depths));
        }
        if (maskToken < 0) {
            throw new IllegalArgumentException("'maskToken' must be a token, got " + maskToken);
        }
        if (!(retention > 0 && retention <= 1) || !(leastRetention > 0 && leastRetention <= 1)) {
            throw new IllegalArgumentException(
                    "'retention' (%s) and 'leastRetention' (%s) must be in (0, 1]"
                            .formatted(retention, leastRetention));
        }
    }

    /// What validation reports of every guess: how often its best token is the target's, then how probably the target accepts a drawn one.
    public List<String> measures() {
        return Stream.of("agreement", "acceptance")
                .flatMap(name -> IntStream.rangeClosed(1, depths).mapToObj(guess -> name + guess))
                .toList();
    }

    /// Places of a row that are kept at each depth, the first one's first: `[depths]`.
    ///
    /// @param places those of the first depth; more than [#depths]
    int[] kept(int places) {
        var kept = new int[depths];
        kept[0] = places;
        int anchors = places - depths + 1;
        for (int depth = 1; depth < depths; depth++) {
            double share = Math.max(Math.pow(retention, depth), leastRetention);
            kept[depth] = Math.max(1, (int) (anchors * share));
        }
        return kept;
    }
}
