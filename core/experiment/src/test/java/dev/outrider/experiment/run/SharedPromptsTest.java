package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.TextTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Comparisons whose target reads every prompt once: the time of every generation includes one reading.
final class SharedPromptsTest {
    private static final String FILE =
            """
            name: fake
            target: {use: table, keeps: 9}
            prompts: {texts: [ab, ba, bbbb]}
            maxTokens: 21
            repetitions: 2
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 4}
            """;

    private final FakeClock clock = new FakeClock();

    @BeforeEach
    void forget() {
        SharingTarget.READS.clear();
        SharingTarget.OPEN.clear();
    }

    @Test
    void everyGenerationHasTheTimeInWhichItsPromptWasReadOnce() {
        var result = run(FILE);

        // One reading in the warm-up, whose time does not count; then one of each prompt for both
        // repetitions.
        assertThat(SharingTarget.READS).hasSize(1 + 3);
        assertThat(SharingTarget.OPEN).isEmpty();
        assertThat(result.generations()).hasSize(12);
        for (var record : result.generations()) {
            long reading = reading(record.prompt());
            assertThat(record.readNanos()).isEqualTo(reading);
            assertThat(record.metrics().prefillNanos()).isEqualTo(reading);
            assertThat(record.wallNanos()).isEqualTo(rounds(record) + reading);
        }
        assertThat(TextTable.coverage(report(result)))
                .isEqualTo(
                        "3 of 3 prompts, 2 repetitions, each read once in 0 ms (median), a part of every time");
    }

    @Test
    void aPromptThatWasForgottenIsReadAndMeasuredAnew() {
        var result = run(FILE.replace("keeps: 9", "keeps: 1"));

        var plain = result.of(result.plan().variants().getFirst());
        assertThat(plain.getFirst().readNanos()).isLessThan(plain.get(3).readNanos());
        assertThat(result.generations())
                .allMatch(record -> record.wallNanos() == rounds(record) + record.readNanos());
        assertThat(TextTable.coverage(report(result))).isEqualTo("3 of 3 prompts, 2 repetitions");
    }

    @Test
    void everyVariantReadsForItselfIfItShould() {
        for (var file : List.of(FILE + "prefill: each\n", FILE.replace(", keeps: 9", ""))) {
            var result = run(file);

            assertThat(SharingTarget.READS).isEmpty();
            assertThat(result.generations())
                    .allMatch(record ->
                            record.readNanos() == 0 && record.wallNanos() == rounds(record));
            assertThat(TextTable.coverage(report(result)))
                    .isEqualTo("3 of 3 prompts, 2 repetitions");
        }
    }

    @Test
    void promptsDecodedTogetherShareTheTimeOfReadingAllOfThem() {
        var result = run(FILE.replace("bbbb]", "bbbb, abab]") + "batch: 2\n");

        var first =
                result.generations().stream()
                        .filter(record -> record.prompt() < 2)
                        .limit(2)
                        .toList();
        long reading = first.stream().mapToLong(GenerationRecord::readNanos).sum();
        assertThat(first.stream().mapToLong(GenerationRecord::wallNanos).sum())
                .isGreaterThan(reading);
        // Both were read in the warm-up too.
        assertThat(reading).isEqualTo(reading(1) + reading(2));
    }

    @Test
    void promptsThatDifferInTheirLastTokenAreReadTogetherAndHaveTheTimeAll() {
        var result = run(FILE.replace("ab, ba, bbbb", "ab, ab, aa"));

        assertThat(SharingTarget.READS).hasSize(1 + 1);
        assertThat(result.generations()).hasSize(12);
        assertThat(result.generations())
                .allMatch(record ->
                        record.readNanos() == reading(0)
                                && record.wallNanos() == rounds(record) + reading(0));
    }

    @Test
    void aGroupThatIsNotKeptWholeIsNotShared() {
        var result =
                run(FILE.replace("keeps: 9", "keeps: 1").replace("ba, bbbb", "bb") + "batch: 2\n");

        assertThat(result.generations()).hasSize(8);
        assertThat(result.generations())
                .allMatch(
                        record -> record.readNanos() == 0 && record.metrics().prefillNanos() == 0);
        // Each was tried once in the warm-up and once after it; no rows are kept that one of them
        // could begin with.
        assertThat(SharingTarget.READS).hasSize(2 * 3);
        assertThat(SharingTarget.OPEN).isEmpty();
    }

    @Test
    void aPromptOfOneTokenIsReadByEveryVariantAndAnEmptyOneIsLeftOut() {
        var result = run(FILE.replace("ab, ba, bbbb", "\"\", a, ba"));

        assertThat(result.failures()).hasSize(1);
        assertThat(result.failures().getFirst().prompt()).isEqualTo("text-1");
        assertThat(result.failures().getFirst().reason()).startsWith("PROMPT_EMPTY");
        assertThat(result.generations()).hasSize(8);
        assertThat(result.generations())
                .allMatch(record -> record.readNanos() > 0 == (record.prompt() == 2));
        assertThat(TextTable.coverage(report(result)))
                .isEqualTo(
                        "2 of 3 prompts, 2 repetitions, 1 of 2 prompts read once in 0 ms (median), a part of every time");
    }

    /// Returns the time of reading a prompt after the warm-up.
    private static long reading(int prompt) {
        return SharingTarget.READ + SharingTarget.MORE * (prompt + 1);
    }

    private static long rounds(GenerationRecord record) {
        return record.rounds().stream().mapToLong(round -> round.times().total()).sum();
    }

    private static Report report(ComparisonResult result) {
        return Report.of("", Optional.empty(), result, Map.of(), Optional.empty());
    }

    private ComparisonResult run(String file) {
        var config =
                new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                        .parse(file, "f.yaml", Path.of("/"), ExperimentConfig.class, List.of())
                        .config();
        try (var loaded = LoadedExperiment.load(config, clock, false)) {
            return new Comparison(
                            loaded.plan(config), clock, new Comparison.Listener() {}, () -> false)
                    .run();
        }
    }
}
