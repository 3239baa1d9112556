package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EffectiveConfigTest {
    private static final String FILE =
            """
            name: demo
            question: "why: so?"
            model: ../models/target
            sampling:
              temperature: 1
            stop: ["\\n", no]
            plan: {widths: [4, 2]}
            variants:
              - name: a
                drafter: lookup
            """;

    @Test
    void printsEachValueWithItsOrigin() {
        assertThat(Sample.parse(FILE, "maxTokens=8").effective().toYaml())
                .isEqualTo(
                        """
                        name: demo                                      # demo.yaml:1
                        question: "why: so?"                            # demo.yaml:2
                        model: ../models/target                         # demo.yaml:3
                        allowLossy: true                                # default
                        maxTokens: 8                                    # --set
                        timeout: 30s                                    # default
                        precision: float32                              # default
                        sampling:
                          temperature: 1.0                              # demo.yaml:5
                          topK: 0                                       # default
                        stop: ["\\n", "no"]                              # demo.yaml:6
                        weights: {}                                     # default
                        plan:
                          use: level-widths                             # demo.yaml:7
                          widths: [4, 2]                                # demo.yaml:7
                        variants:
                          - name: a                                     # demo.yaml:9
                            drafter:
                              use: lookup                               # demo.yaml:10
                              ngram: 3                                  # default
                        """);
    }

    @Test
    void readsBackToTheSameConfiguration() {
        Loaded<Sample> first =
                Sample.parse(FILE, "weights={'a: b': 0.25, x: 1e-9}", "timeout=1h2m3s4ms5us6ns");
        Loaded<Sample> again = Sample.parse(first.effective().toYaml());
        assertThat(again.config()).isEqualTo(first.config());
        assertThat(again.effective().configHash()).isEqualTo(first.effective().configHash());
    }

    @Test
    void movesPathsToWhereTheTextIsSaved() {
        Loaded<Sample> first = Sample.parse(FILE);
        String moved = first.effective().toYaml(Path.of("/results/demo"));
        assertThat(moved).contains("model: ../../models/target ");
        Sample again =
                Sample.loader()
                        .parse(
                                moved,
                                "saved.yaml",
                                Path.of("/results/demo"),
                                Sample.class,
                                List.of())
                        .config();
        assertThat(again).isEqualTo(first.config());
    }

    @Test
    void hashesWhatTheConfigurationMeansNotHowItIsWritten() {
        String other =
                """
                # a comment
                plan:
                  use: levelWidths
                  widths:
                  - 4
                  - 2
                variants: [{drafter: {use: lookup, ngram: 3}, name: "a"}]
                max-tokens: 64
                stop: ["\\n", 'no']
                sampling: {temperature: 1.00, topK: 0}
                model: "../models/target"
                question: 'why: so?'
                name: demo
                """;
        EffectiveConfig effective = Sample.parse(FILE).effective();
        assertThat(Sample.parse(other).effective().configHash())
                .isEqualTo(effective.configHash())
                .matches("[0-9a-f]{64}");
        assertThat(Sample.parse(FILE, "maxTokens=65").effective().configHash())
                .isNotEqualTo(effective.configHash());
        assertThat(effective.toJson())
                .isEqualTo(
                        "{\"allowLossy\":true,\"maxTokens\":64,\"model\":\"../models/target\",\"name\":\"demo\","
                                + "\"plan\":{\"use\":\"level-widths\",\"widths\":[4,2]},\"precision\":\"float32\","
                                + "\"question\":\"why: so?\",\"sampling\":{\"temperature\":1.0,\"topK\":0},"
                                + "\"stop\":[\"\\n\",\"no\"],\"timeout\":\"30s\","
                                + "\"variants\":[{\"drafter\":{\"ngram\":3,\"use\":\"lookup\"},\"name\":\"a\"}],\"weights\":{}}");
    }

    @Test
    void describesEveryKey() {
        List<KeyDescription> keys = KeyDescription.of(Sample.class);
        assertThat(
                        keys.stream()
                                .map(key ->
                                        key.name()
                                                + ": "
                                                + key.type()
                                                + (key.required() ? " (required)" : "")))
                .containsExactly(
                        "name: text (required)",
                        "question: text",
                        "model: path (required)",
                        "allowLossy: true or false",
                        "maxTokens: integer",
                        "timeout: duration such as 500ms, 30s or 1m30s",
                        "precision: one of float32, bfloat16, mixed-half",
                        "sampling: mapping",
                        "stop: list of text",
                        "weights: mapping of names to number",
                        "plan: plan",
                        "variants: list of mapping");
        assertThat(keys.get(4).defaultValue()).contains("64");
        assertThat(keys.get(4).doc()).isEqualTo("Tokens to generate.");
        assertThat(keys.get(7).nested())
                .extracting(KeyDescription::name)
                .containsExactly("temperature", "topK");
        assertThat(keys.get(10).nested())
                .extracting(KeyDescription::name)
                .containsExactly("chain", "level-widths", "dynamic");
        assertThat(keys.get(10).nested().getFirst().doc()).isEqualTo("One token after another.");
        assertThat(keys.get(11).nested())
                .extracting(KeyDescription::type)
                .containsExactly("text", "guesser, chosen by 'use'");
    }
}
