package dev.outrider.experiment.results;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.SampleRecorder;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Folders of results of comparisons of tables, as `outrider bench` writes them.
public final class WrittenResults {
    /// Two variants at two temperatures, two kinds of prompts.
    public static final String YAML =
            """
            name: fake
            question: Does a table speed a table up?
            target: table
            prompts: {file: PROMPTS}
            maxTokens: 21
            repetitions: 2
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 3}
              - name: sampled
                drafter: {use: table, agreement: 0.7, tree: 3, sampling: {temperature: 1}}
                sampling: {temperature: 1}
            """;

    /// Prompts of two kinds.
    public static final String PROMPTS =
            """
            {"kind": "copy", "prompt": "ab"}
            {"kind": "free", "prompt": "ba"}
            {"kind": "copy", "prompt": "bb"}
            """;

    private WrittenResults() {}

    /// Runs [#YAML] below a folder.
    ///
    /// @return the folder of the results
    public static Path in(Path parent) throws IOException {
        return in(parent, YAML, PROMPTS);
    }

    /// Runs a configuration below a folder.
    ///
    /// @param prompts the text for the word PROMPTS in it: lines of JSON
    public static Path in(Path parent, String yaml, String prompts) throws IOException {
        Path file = Files.writeString(parent.resolve("prompts.jsonl"), prompts);
        var clock = new FakeClock();
        Loaded<ExperimentConfig> loaded =
                new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                        .parse(
                                yaml.replace("PROMPTS", file.toString()),
                                "fake.yaml",
                                Path.of("/"),
                                ExperimentConfig.class,
                                List.of());
        try (var loadedExperiment = LoadedExperiment.load(loaded.config(), clock, false);
                var folder =
                        ResultFolder.open(
                                        parent.resolve(loaded.config().name()), loaded.effective())
                                .describe(provenance(loaded))) {
            var plan = loadedExperiment.plan(loaded.config());
            var result = new Comparison(plan, clock, folder, () -> false).run();
            folder.write(
                    Report.of(
                            loaded.config().question(),
                            Optional.empty(),
                            result,
                            Map.of("sampled", evidence()),
                            Optional.empty()));
            SampleRecorder.of(result).ifPresent(folder::write);
            return folder.directory();
        }
    }

    private static Evidence evidence() {
        var test =
                new DistributionTest(
                        "first tokens", 500, 20, 30, .05, .1, 0, .2, .1, .3, .4, false);
        return new Evidence(
                "not rejected", "enough was seen", .001, List.of(test), 0, .9, Optional.empty());
    }

    private static Provenance provenance(Loaded<ExperimentConfig> loaded) {
        return new Provenance(
                "2026-01-01T00:00:00Z",
                new Provenance.GitState("abc", true),
                loaded.effective().configHash(),
                new TreeMap<>(Map.of("target table", "00")),
                Optional.empty(),
                new Provenance.Machine("JVM", new TreeMap<>(Map.of("outrider", "test")), "none", 1),
                0,
                1,
                2,
                3,
                Provenance.WHOLE_GENERATION,
                Optional.empty());
    }
}
