package dev.outrider.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares whole messages, as users see them.
final class MessagesTest {
    private static final String REMEDY =
            "\n  Correct the places named; each line says what was expected there.";

    @Test
    void reportsEveryProblemOfAFileAtOnce() {
        assertProblems(
                """
                naem: demo
                model: [a]
                maxTokens: many
                max-tokens: 5
                timeout: 30
                precision: bfloat
                sampling:
                  temprature: 1
                  topK: "4"
                plan: {widths: [4, x]}
                variants:
                  - name: a
                    drafter: {use: small-modle, path: m}
                  - drafter: {use: small-model, dept: 3, depth: 99}
                  - name: c
                    drafter: {ngram: 3}
                """,
                """
                demo.yaml has 15 problems:
                  demo.yaml:1:1: naem: unknown key; did you mean 'name'? (valid keys: name, question, model, allowLossy, maxTokens, timeout, precision, sampling, stop, weights, plan, variants)
                  demo.yaml:1:1: missing key 'name': Name of the run.
                  demo.yaml:2:1: model: expected a path, got a list
                  demo.yaml:3:12: maxTokens: expected an integer, got many
                  demo.yaml:4:1: max-tokens: given twice; first at demo.yaml:3:1
                  demo.yaml:5:10: timeout: expected a duration such as 500ms, 30s or 1m30s, got 30
                  demo.yaml:6:12: precision: expected one of float32, bfloat16, mixed-half, got bfloat; did you mean 'bfloat16'?
                  demo.yaml:8:3: sampling.temprature: unknown key; did you mean 'temperature'? (valid keys: temperature, topK)
                  demo.yaml:9:9: sampling.topK: expected an integer, got text "4"
                  demo.yaml:10:20: plan.widths[1]: expected an integer, got x
                  demo.yaml:13:20: variants[0].drafter: unknown drafter 'small-modle'; did you mean 'small-model'? (known: lookup, small-model; plugins in 'plugins' add others)
                  demo.yaml:14:5: variants[1]: missing key 'name'
                  demo.yaml:14:5: variants[1].drafter: missing key 'path'
                  demo.yaml:14:33: variants[1].drafter.dept: unknown key; did you mean 'depth'? (valid keys: use, path, depth)
                  demo.yaml:16:5: variants[2].drafter: missing key 'use', the name of a drafter (known: lookup, small-model; plugins in 'plugins' add others)
                """);
    }

    @Test
    void reportsWhatConstructorsRefuseWhereTheValueStands() {
        assertProblems(
                """
                name: a
                model: m
                sampling: {temperature: -1, topK: 2}
                variants:
                  - name: a
                    drafter:
                      use: small-model
                      path: d
                      depth: 99
                """,
                """
                demo.yaml has 2 problems:
                  demo.yaml:3:25: sampling.temperature: temperature -1.0 must be 0 or more
                  demo.yaml:9:14: variants[0].drafter.depth: depth 99 is not between 1 and 64
                """);
    }

    @Test
    void anUnreadableNeighbourDoesNotHideWhatAConstructorRefuses() {
        assertProblems(
                """
                name: a
                model: m
                sampling: {temperature: -1, topK: x, colour: 2}
                """,
                """
                demo.yaml has 3 problems:
                  demo.yaml:3:25: sampling.temperature: temperature -1.0 must be 0 or more
                  demo.yaml:3:35: sampling.topK: expected an integer, got x
                  demo.yaml:3:38: sampling.colour: unknown key; valid keys: temperature, topK
                """);
    }

    @Test
    void saysWhatAnEmptyFileLacks() {
        assertProblems(
                "",
                """
                demo.yaml has 2 problems:
                  demo.yaml:1:1: missing key 'name': Name of the run.
                  demo.yaml:1:1: missing key 'model'
                """);
    }

    @Test
    void saysWhatAFileShouldBeThatIsNoMapping() {
        assertProblems(
                "- a\n",
                """
                demo.yaml has 1 problem:
                  demo.yaml:1:1: expected a mapping, got a list
                """);
    }

    @Test
    void refusesValuesThatDoNotFit() {
        assertProblems(
                """
                name:
                model: {}
                allowLossy: yes
                maxTokens: 3000000000
                weights: {a: .nan, a: 1, b: 1e999}
                stop: x
                """,
                """
                demo.yaml has 8 problems:
                  demo.yaml:1:6: name: expected text, got nothing
                  demo.yaml:2:1: model: expected a path, got a mapping
                  demo.yaml:3:13: allowLossy: expected true or false, got yes
                  demo.yaml:4:12: maxTokens: expected an integer between -2147483648 and 2147483647, got 3000000000
                  demo.yaml:5:14: weights.a: expected a number, got .nan
                  demo.yaml:5:20: weights.a: given twice; first at demo.yaml:5:11
                  demo.yaml:5:29: weights.b: expected a finite number, got 1e999
                  demo.yaml:6:7: stop: expected a list, got x
                """);
    }

    @Test
    void listsTheAlternativesOfAChoice() {
        String file = "name: a\nmodel: m\nplan: ";
        String shapes = "chain {length?}, or level-widths {widths}, or dynamic {topK, depth}";
        assertProblems(
                file + "[4, 2]",
                "demo.yaml has 1 problem:\n  demo.yaml:3:1: plan: expected a plan: "
                        + shapes
                        + ", got a list");
        assertProblems(
                file + "{}",
                "demo.yaml has 1 problem:\n  demo.yaml:3:1: plan: cannot tell which plan is meant; expected a plan: "
                        + shapes);
        assertProblems(
                file + "dynamics",
                "demo.yaml has 1 problem:\n  demo.yaml:3:7: plan: unknown plan 'dynamics'; did you mean 'dynamic'?"
                        + " (known: chain, level-widths, dynamic)");
        assertProblems(
                file + "{topK: 3}",
                "demo.yaml has 1 problem:\n  demo.yaml:3:1: plan: missing key 'depth'");
        assertProblems(
                file + "{use: [x]}",
                "demo.yaml has 1 problem:\n  demo.yaml:3:1: plan: expected a plan: "
                        + shapes
                        + ", got a list");
    }

    @Test
    void anItemBehindTheLastIsNotMadeByMistake() {
        assertProblems(
                "name: a\nmodel: m\nvariants:\n  - {name: v, drafter: lookup}\n",
                "demo.yaml has 1 problem:\n"
                        + "  --set variants[1].name=x: there is no item 1, the last of the list is 0; [+] appends one\n",
                "variants[1].name=x");
    }

    @Test
    void keysAndDurationsHaveLimits() {
        String deep = "a" + ".a".repeat(20_000) + "=1";
        assertProblems(
                "name: a\nmodel: m\n",
                """
                demo.yaml has 2 problems:
                  --set %s...: the key has 20001 steps, expected at most 64
                  --set timeout=999999999999h: timeout: expected a duration of at most 8760h, got 999999999999h
                """
                        .formatted(deep.substring(0, 200 - "--set ".length())),
                deep,
                "timeout=999999999999h");
        assertProblems(
                "name: a\nmodel: m\ntimeout: " + "1s".repeat(9) + "\n",
                "demo.yaml has 1 problem:\n"
                        + "  demo.yaml:3:10: timeout: expected a duration such as 500ms, 30s or 1m30s, got 1s1s1s1s1s1s1s1s1s\n");
    }

    @Test
    void halfACharacterIsNoText() {
        assertSyntax(
                "name: \"\\ud800\"\nmodel: m\n",
                "1:7: a text has half of a surrogate pair; write the whole character");
    }

    @Test
    void namesTheOverrideThatIsWrong() {
        assertProblems(
                "name: a\nmodel: m\n",
                """
                demo.yaml has 8 problems:
                  --set maxTokens: expected key=value, such as drafter.depth=4 or variants[0].name=short
                  --set a..b=1: expected key=value, such as drafter.depth=4 or variants[0].name=short
                  --set maxTokens=[1: the value is not YAML: expected ',' or ']', but got <stream end>
                  --set variants[1].name=x: there is no item 1, the list is empty; [+] appends one
                  --set name[0]=x: there is no list to index here, but a
                  --set sampling.topp=1: sampling.topp: unknown key; did you mean 'topK'? (valid keys: temperature, topK)
                  --set allowLossy=: allowLossy: expected true or false, got nothing
                  --set sampling.temperature=-2: sampling.temperature: temperature -2.0 must be 0 or more
                """,
                "maxTokens",
                "a..b=1",
                "maxTokens=[1",
                "variants[1].name=x",
                "name[0]=x",
                "sampling.topp=1",
                "allowLossy=",
                "sampling.temperature=-2");
    }

    @Test
    void showsTheFirstFortyProblems() {
        var yaml = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            yaml.append("unknown").append(i).append(": 1\n");
        }
        assertThatThrownBy(() -> Sample.parse(yaml.toString()))
                .hasMessageStartingWith("CONFIG_INVALID: demo.yaml has 102 problems:\n")
                .hasMessageEndingWith("\n  ... and 62 more" + REMEDY)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(43));
    }

    @Test
    void placesSyntaxErrors() {
        assertSyntax("a: [1, 2\nb: 3\n", "2:2: expected ',' or ']', but got :");
        assertSyntax("a: 'open\n", "2:1: found unexpected end of stream");
        assertSyntax(
                "a: 1\n\tb: 2\n",
                "2:1: found character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)");
        assertSyntax("a: 1\n b: 2\n", "2:3: mapping values are not allowed here");
        assertSyntax(
                "a: 1\n---\nb: 2\n",
                "3:1: a second document starts here; a configuration is one document");
        assertSyntax("a: 1\nb: \u0007\n", "2:4: the character U+0007 is not allowed in YAML");
        assertSyntax("? [a]\n: 1\n", "1:4: a key must be a single value, not a list or a mapping");
    }

    @Test
    void refusesAnchorsAliasesTagsAndDepth() {
        String anchors = "anchors (&) and aliases (*) are not supported; write the value out";
        assertSyntax("a: &x [1]\nb: *x\n", "1:4: " + anchors);
        assertSyntax("a: &x 1\n", "1:4: " + anchors);
        assertSyntax("a: *x\n", "1:4: " + anchors);
        assertSyntax("&x a: 1\n", "1:1: " + anchors);
        assertSyntax(
                "a: !!java.net.URL [1]\n",
                "1:4: tags (!) are not supported; write the value without one");
        assertSyntax("a: !x 1\n", "1:4: tags (!) are not supported; write the value without one");
        assertSyntax("a: " + "[".repeat(70_000), "1:68: nested deeper than 64 levels");
        assertSyntax("a: [" + "1,".repeat(60_000) + "]", "1:100001: more than 50000 values");
    }

    @Test
    void explainsFilesThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path binary = folder.resolve("binary.yaml");
        Files.write(binary, new byte[] {'a', ':', ' ', (byte) 0xff});
        Path huge = folder.resolve("huge.yaml");
        Files.write(huge, "#".repeat(1 << 21).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() ->
                        Sample.loader().load(Path.of("no", "such.yaml"), Sample.class, List.of()))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONFIG_NOT_FOUND: there is no configuration file 'no/such.yaml'\n"
                                + "  Give the path of a YAML file; configs/ has examples.");
        assertThatThrownBy(() -> Sample.loader().load(binary, Sample.class, List.of()))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONFIG_SYNTAX: "
                                + binary
                                + " is not UTF-8 text\n  Save the file as UTF-8.");
        assertThatThrownBy(() -> Sample.loader().load(huge, Sample.class, List.of()))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONFIG_SYNTAX: "
                                + huge
                                + " is 2097152 bytes long; a configuration has at most 1048576\n"
                                + "  Check that this is the configuration file; keep prompts in a file of their own.");
    }

    record Broken(@Default("[1") int depth) {}

    record Unreadable(Thread thread) {}

    @Test
    void blamesThePluginWhoseRecordCannotBeRead() {
        assertThatThrownBy(() -> KeyDescription.of(Broken.class))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "PLUGIN_INVALID: configuration type dev.outrider.config.MessagesTest$Broken"
                                + " has a default of 'depth' that is not YAML: ");
        assertThatThrownBy(() -> KeyDescription.of(Unreadable.class))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "PLUGIN_INVALID: configuration type java.lang.Thread cannot be read from YAML\n"
                                + "  Use records whose components are of these types: int, long, short, byte, double, float, boolean, String, Path, Duration, an enum, Optional<T>, List<T>, Map<String, T>, a record, a sealed interface of records, TreePlan, Component<F>, DrafterChoice.");
    }

    private static void assertProblems(String yaml, String problems, String... overrides) {
        assertThatThrownBy(() -> Sample.parse(yaml, overrides))
                .isInstanceOf(OutriderException.class)
                .hasMessage("CONFIG_INVALID: " + problems.strip() + REMEDY);
    }

    private static void assertSyntax(String yaml, String problem) {
        assertThatThrownBy(() -> Sample.parse(yaml))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "CONFIG_SYNTAX: demo.yaml:"
                                + problem
                                + "\n  Correct the YAML at this place; nothing after it was read.");
    }
}
