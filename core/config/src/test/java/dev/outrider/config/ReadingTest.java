package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReadingTest {
    private static final String MINIMAL = "name: a\nmodel: m\n";

    @Test
    void fillsDefaults() {
        assertThat(Sample.parse(MINIMAL).config())
                .isEqualTo(
                        new Sample(
                                "a",
                                Optional.empty(),
                                Path.of("/configs/m"),
                                true,
                                64,
                                Duration.ofSeconds(30),
                                Sample.Precision.FLOAT32,
                                new Sample.Sampling(0, 0),
                                List.of(),
                                Map.of(),
                                new Sample.Plan.Chain(4),
                                List.of()));
    }

    @Test
    void readsEveryKindOfValue() {
        var config =
                Sample.parse(
                                """
                                name: 2024
                                question: |
                                  Which one?
                                  Really.
                                model: ../models/target
                                allow-lossy: false
                                maxTokens: 1_000
                                timeout: 1m30s
                                precision: Mixed-Half
                                sampling: {temperature: 7e-1, top-k: 40}
                                stop: ["\\n", 'END']
                                weights:
                                  first-half: 1
                                  "second: half": .5
                                plan: {widths: [4, 2, 2]}
                                variants:
                                  - name: short
                                    drafter: lookup
                                  - name: long
                                    drafter:
                                      use: small-model
                                      path: /models/draft
                                      depth: 6
                                """)
                        .config();
        assertThat(config)
                .isEqualTo(
                        new Sample(
                                "2024",
                                Optional.of("Which one?\nReally.\n"),
                                Path.of("/models/target"),
                                false,
                                1000,
                                Duration.ofSeconds(90),
                                Sample.Precision.MIXED_HALF,
                                new Sample.Sampling(0.7, 40),
                                List.of("\n", "END"),
                                Map.of("first-half", 1.0, "second: half", 0.5),
                                new Sample.Plan.LevelWidths(List.of(4, 2, 2)),
                                List.of(
                                        new Sample.Variant(
                                                "short",
                                                new Component<>(
                                                        "lookup",
                                                        Sample.LOOKUP,
                                                        new Sample.Lookup(3))),
                                        new Sample.Variant(
                                                "long",
                                                new Component<>(
                                                        "small-model",
                                                        Sample.SMALL_MODEL,
                                                        new Sample.SmallModel(
                                                                Path.of("/models/draft"), 6))))));
    }

    @Test
    void picksAnAlternativeByNameByUseAndByKey() {
        assertThat(plan("chain")).isEqualTo(new Sample.Plan.Chain(4));
        assertThat(plan("{use: chain, length: 7}")).isEqualTo(new Sample.Plan.Chain(7));
        assertThat(plan("{chain: 7}")).isEqualTo(new Sample.Plan.Chain(7));
        assertThat(plan("{chain: {length: 7}}")).isEqualTo(new Sample.Plan.Chain(7));
        assertThat(plan("7")).isEqualTo(new Sample.Plan.Chain(7));
        assertThat(plan("{length: 7}")).isEqualTo(new Sample.Plan.Chain(7));
        assertThat(plan("{levelWidths: [3, 1]}"))
                .isEqualTo(new Sample.Plan.LevelWidths(List.of(3, 1)));
        assertThat(plan("{use: level-widths, widths: [3, 1]}"))
                .isEqualTo(new Sample.Plan.LevelWidths(List.of(3, 1)));
        assertThat(plan("{topK: 8, depth: 5}")).isEqualTo(new Sample.Plan.Dynamic(8, 5));
    }

    @Test
    void overridesReplaceAddAndAppend() {
        var config =
                Sample.parse(
                                "name: a\nmodel: m\nplan: chain\nvariants:\n  - {name: v, drafter: lookup}\n",
                                "max-tokens=8",
                                "model=local",
                                "sampling.temperature=0.5",
                                "plan.length=9",
                                "stop=[x, y]",
                                "variants[0].drafter.ngram=2",
                                "variants[+]={name: w, drafter: {use: small-model, path: d}}",
                                "variants[1].drafter.depth=5",
                                "question=a = b")
                        .config();
        assertThat(config.maxTokens()).isEqualTo(8);
        assertThat(config.model()).isEqualTo(Path.of("/work-dir/local"));
        assertThat(config.sampling()).isEqualTo(new Sample.Sampling(0.5, 0));
        assertThat(config.plan()).isEqualTo(new Sample.Plan.Chain(9));
        assertThat(config.stop()).containsExactly("x", "y");
        assertThat(config.question()).contains("a = b");
        assertThat(config.variants())
                .containsExactly(
                        new Sample.Variant(
                                "v",
                                new Component<>("lookup", Sample.LOOKUP, new Sample.Lookup(2))),
                        new Sample.Variant(
                                "w",
                                new Component<>(
                                        "small-model",
                                        Sample.SMALL_MODEL,
                                        new Sample.SmallModel(Path.of("/work-dir/d"), 5))));
    }

    @Test
    void readsAFileAndResolvesItsPathsBesideIt(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("run.yaml");
        Files.writeString(file, "\uFEFFname: ü\nmodel: ./m\n");
        var config = Sample.loader().load(file, Sample.class, List.of()).config();
        assertThat(config.name()).isEqualTo("ü");
        assertThat(config.model()).isEqualTo(folder.resolve("m").toAbsolutePath());
    }

    @Test
    void overridesAloneMakeAConfiguration() {
        assertThat(Sample.parse("", "name=a", "model=m").config().name()).isEqualTo("a");
    }

    private static Sample.Plan plan(String yaml) {
        return Sample.parse(MINIMAL + "plan: " + yaml + "\n").config().plan();
    }
}
