package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Rankings;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.Exactness;
import dev.outrider.experiment.stats.VariantResult.GreedyIds;
import dev.outrider.experiment.table.RankingTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the conclusions about plain decoding and the variants A and B, from the logarithms of their speeds on eight prompts.
final class ConclusionTest {
    private static final Exactness LOSSLESS = exactness("greedy-equal", Optional.empty());
    private static final Exactness LOSSY = exactness("lossy", Optional.empty());

    @TempDir private static Path folder;

    private static List<VariantResult> measured = List.of();

    @BeforeAll
    static void measure() throws IOException {
        measured = ResultReader.report(WrittenResults.in(folder)).variants();
    }

    @Test
    void aVariantBehindTheHighestMeanMayBeTheOneThatBeatsPlainDecoding() {
        assertThat(conclusion(around(.83, .5), around(.69, .05)))
                .startsWith("Not told apart: plain, A, B (B, 1.99 times plain decoding [1.");
    }

    @Test
    void plainDecodingMayBeBeatenByLessThanWhatCountsAsEqual() {
        assertThat(conclusion(around(.01, .002), around(-1, .1)))
                .startsWith("Tied for fastest, within 2 %: plain, A (A, 1.01 times plain decoding");
    }

    @Test
    void morePromptsMayShowThatTwoAreAlike() {
        assertThat(conclusion(around(.5, .01), around(.501, -.01)))
                .startsWith("Not told apart: A, B (B, 1.65 times plain decoding [")
                .containsPattern("; about [0-9]+ more prompts would decide between B and A\\.");
    }

    /// A and B are nearly alike: showing that takes many more prompts than showing that B beats plain decoding.
    @Test
    void morePromptsAreThoseOfThePairThatIsNamed() {
        var tables = tables(around(.2, .2), around(.21, .1), LOSSLESS, LOSSLESS);

        assertThat(tables.conclusion())
                .startsWith(
                        "Nothing is shown to beat plain decoding here. Not told apart: plain, A, B;")
                .endsWith(
                        "about %d more prompts would decide between B and plain."
                                .formatted(tables.morePrompts().orElseThrow()));
    }

    @Test
    void aLossyVariantIsCalledLossyAndTheBestLosslessOneIsNamedToo() {
        assertThat(conclusion(around(.9, .01), around(.5, .01), LOSSY, LOSSLESS))
                .matches(
                        "Fastest: A \\(lossy\\), 2.46 times plain decoding \\[[^]]*]\\."
                                + " Without loss: B, 1.65 times plain decoding \\[[^]]*]\\.");
        assertThat(conclusion(around(.9, .01), around(-.5, .01), LOSSY, LOSSLESS))
                .endsWith("]. No lossless variant is shown to beat plain decoding.");
    }

    @Test
    void aVariantWithOtherOutputThanPlainDecodingIsMarked() {
        var other = exactness("greedy-equal", Optional.of(new GreedyIds(8, 6, OptionalLong.of(1))));
        var rounding =
                exactness("greedy-equal", Optional.of(new GreedyIds(8, 6, OptionalLong.empty())));

        assertThat(conclusion(around(.9, .01), around(.5, .01), other, rounding))
                .matches(
                        "Fastest: A \\(other output\\), 2.46 times plain decoding \\[[^]]*]\\."
                                + " Without loss: B, 1.65 times plain decoding \\[[^]]*]\\.");
    }

    private static Exactness exactness(String promise, Optional<GreedyIds> found) {
        return new Exactness(promise, Optional.empty(), found);
    }

    private static String conclusion(double[] first, double[] second) {
        return conclusion(first, second, LOSSLESS, LOSSLESS);
    }

    private static String conclusion(
            double[] first, double[] second, Exactness ofFirst, Exactness ofSecond) {
        return tables(first, second, ofFirst, ofSecond).conclusion();
    }

    private static RankingTables tables(
            double[] first, double[] second, Exactness ofFirst, Exactness ofSecond) {
        double[][] rows =
                IntStream.range(0, first.length)
                        .mapToObj(i -> new double[] {0, first[i], second[i]})
                        .toArray(double[][]::new);
        var rankings = Rankings.of(List.of("plain", "A", "B"), rows, 1, Rankings.ALPHA, 0);
        var exactness = List.of(LOSSLESS, ofFirst, ofSecond).iterator();
        var variants = new ArrayList<VariantResult>();
        rankings.forEach((name, ranking) ->
                variants.add(variant(name, exactness.next(), Optional.of(ranking))));
        return RankingTables.of(variants).getFirst();
    }

    private static double[] around(double mean, double spread) {
        return IntStream.range(0, 8)
                .mapToDouble(i -> mean + (i % 2 == 0 ? spread : -spread) * (1 + i / 2))
                .toArray();
    }

    /// A measured variant with another name, exactness and ranking.
    private static VariantResult variant(
            String name, Exactness exactness, Optional<Ranking> ranking) {
        var from = measured.getFirst();
        return new VariantCopy(from).with(name, exactness, from.speed(), ranking);
    }
}
