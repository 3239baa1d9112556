package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.run.GreedyCheck.Beams;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.GreedyIds;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Beam searches in a comparison: compared with plain search of the same settings, and refused if they make no sense.
final class BeamComparisonTest {
    private static final String FILE =
            """
            name: fake
            target: {use: table, sure: 0.6}
            prompts: {texts: [ab, ba, abc]}
            maxTokens: 12
            repetitions: 1
            variants:
              - name: two
                drafter: {use: table, tree: {widths: [6, 2, 1]}}
                decoding: {beams: 2, nBest: 2}
              - name: two again
                drafter: {use: table, agreement: 0, tree: 3}
                decoding: {beams: 2, nBest: 2}
              - name: three
                drafter: {use: table, tree: {widths: [6, 6]}}
                decoding: {beams: 3, lengthPenalty: 0, earlyStopping: true}
              - name: chain
                drafter: {use: table, tree: 4}
            """;

    private final FakeClock clock = new FakeClock();

    @Test
    void aVariantIsComparedWithPlainSearchOfItsSettings() {
        var result = run();

        assertThat(result.plan().variants())
                .extracting(variant ->
                        "%s / %s / %s / %s"
                                .formatted(
                                        variant.name(),
                                        variant.baseline(),
                                        variant.rule(),
                                        variant.exactness()))
                .containsExactly(
                        "plain / plain / greedy / greedy-equal",
                        "plain, beams 2 / plain, beams 2 / beam-search / beam-equal",
                        "two / plain, beams 2 / beam-search / beam-equal",
                        "two again / plain, beams 2 / beam-search / beam-equal",
                        "plain, beams 3 / plain, beams 3 / beam-search / beam-equal",
                        "three / plain, beams 3 / beam-search / beam-equal",
                        "chain / plain / greedy / greedy-equal");
        assertThat(result.mismatches()).isEmpty();
    }

    @Test
    void hypothesesAreKeptTheBestFirst() {
        var result = run();

        for (var record : result.generations()) {
            boolean two = record.variant().contains("two") || record.variant().contains("beams 2");
            boolean three =
                    record.variant().contains("three") || record.variant().contains("beams 3");
            assertThat(record.hypotheses()).hasSize(two ? 2 : three ? 1 : 0);
            if (two) {
                assertThat(record.tokens()).isEqualTo(record.hypotheses().getFirst().tokens());
                assertThat(record.hypotheses().getFirst().score())
                        .isGreaterThanOrEqualTo(record.hypotheses().getLast().score());
            }
        }
    }

    @Test
    void passesAndWhatWasSavedAreReported() {
        var result = run();
        var variants = VariantResult.of(result, Map.of(), Map.of());
        var plain = variant(variants, "plain, beams 2");
        var two = variant(variants, "two");
        var again = variant(variants, "two again");

        assertThat(plain.beams()).contains(2);
        assertThat(plain.counts().passesSaved()).isZero();
        assertThat(plain.rowsPerPass()).isLessThan(two.rowsPerPass());
        assertThat(two.counts().rounds()).isLessThan(plain.counts().rounds());
        assertThat(two.counts().passesSaved())
                .isEqualTo(1 - (double) two.counts().rounds() / plain.counts().rounds());
        assertThat(two.tokensPerRound())
                .isEqualTo((double) plain.counts().rounds() / two.counts().rounds());
        assertThat(two.exactness().greedyIds()).contains(new GreedyIds(3, 3, OptionalLong.empty()));
        assertThat(again.alpha()).isLessThan(two.alpha());
        assertThat(variant(variants, "chain").beams()).isEmpty();
        assertThat(
                        TextTable.of(
                                Report.of(
                                        "", Optional.empty(), result, Map.of(), Optional.empty())))
                .contains("beam search, against plain search of the same settings")
                .contains("rows/pass");
    }

    /// The largest difference of a prompt counts. Another number of hypotheses has no gap.
    @Test
    void promptsWhoseOutputDiffersByMoreThanRoundingAreCounted() {
        var result = run();
        var ids = result.plan().prompts().stream().map(Prompt::id).toList();
        var differing =
                new ComparisonResult(
                        result.plan(),
                        result.generations(),
                        List.of(),
                        List.of(
                                new Mismatch("two", ids.get(0), 1, 2, 4, 1e-4, false),
                                new Mismatch("two", ids.get(1), 1, 2, 4, 0.5, false),
                                new Mismatch("two", ids.get(1), 3, 2, 4, 1e-4, false),
                                new Mismatch("two", ids.get(2), 0, -1, -1, 0, true)),
                        false);

        assertThat(
                        variant(VariantResult.of(differing, Map.of(), Map.of()), "two")
                                .exactness()
                                .greedyIds())
                .contains(new GreedyIds(3, 0, OptionalLong.of(2)));
    }

    @Test
    void aDifferentHypothesisIsAMismatch() {
        var prompt = run().plan().prompts().getFirst();
        var one = new Hypothesis(List.of(1, 2, 3), -3, -1, true);
        var other = new Hypothesis(List.of(1, 4), -3, -1.5, true);
        var rounded = new Hypothesis(List.of(1, 2, 3), -3, -1.0000001, true);
        var wrong = new Hypothesis(List.of(1, 2, 3), -3, -1.1, true);

        assertThat(compare(prompt, List.of(one), List.of(one))).isEmpty();
        assertThat(compare(prompt, List.of(one), List.of(rounded))).isEmpty();
        assertThat(compare(prompt, List.of(one, one), List.of(one, other)))
                .contains(new Mismatch("variant", prompt.id(), 1, 2, 4, 0.5, true));
        assertThat(compare(prompt, List.of(one), List.of(wrong))).isPresent();
        assertThat(compare(prompt, List.of(one), List.of(one, other))).isPresent();
    }

    private static Optional<Mismatch> compare(
            Prompt prompt, List<Hypothesis> plain, List<Hypothesis> variant) {
        return Beams.compare(prompt, plain, "variant", variant);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    decoding: | rule: token, decoding: | 'rule' is 'token'
                    decoding: | sampling: {temperature: 0.5}, decoding: | temperature=0.5
                    decoding: | draftLength: heuristic, decoding: | draftLength is 'heuristic'
                    nBest: 2 | minTokens: 13 | minTokens 13
                    repetitions: 1 | sampling: {repetitionPenalty: 1.5} | repetitionPenalty=1.5
                    repetitions: 1 | batch: 3 | batch is 3
                    repetitions: 1 | stop: [x] | 'stop' has texts
                    """)
    void whatMakesNoSenseIsRefused(String old, String changed, String words) {
        String file = FILE.replaceFirst(old, changed.replace(", decoding:", "\n    decoding:"));

        assertThatThrownBy(() -> LoadedExperiment.check(config(file)))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("variants[0] 'two': ")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    beams: 0 | beams 0 must be between 1 and 256
                    beams: 257 | beams 257 must be between 1 and 256
                    beams: 2, nBest: 3 | nBest 3 must be between 1 and 2
                    beams: 2, nBest: 0 | nBest 0 must be between 1 and 2
                    beams: 2, lengthPenalty: 11 | lengthPenalty 11.0 must be between -10 and 10
                    beams: 2, lengthPenalty: .nan | a number
                    beams: 2, noRepeatNgram: -1 | noRepeatNgram -1 must be 0 (off) or more
                    beams: 2, minTokens: -1 | minTokens -1 must be 0 or more
                    beams: 2, endTokens: [-1] | endTokens has -1, expected 0 or more
                    beams: 2, earlyStopping: maybe | one of false, true, never
                    nBest: 1 | beams
                    """)
    void optionsOutOfBoundsAreRefused(String options, String words) {
        String file = FILE.replaceFirst("beams: 2, nBest: 2", options);

        assertThatThrownBy(() -> config(file))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("fake.yaml")
                .hasMessageContaining(words);
    }

    private ComparisonResult run() {
        var config = config(FILE);
        try (var loaded = LoadedExperiment.load(config, clock, true)) {
            return new Comparison(loaded.plan(config), clock, new Listener() {}, () -> false).run();
        }
    }

    private static VariantResult variant(List<VariantResult> variants, String name) {
        return variants.stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private ExperimentConfig config(String file) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/here"))
                .parse(file, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of())
                .config();
    }
}
