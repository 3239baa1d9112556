package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.decode.RuleBenchmark;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

/// The table in `docs/reference/rules.md` equals the configuration check, and no list of rules leaves one out.
class RulesDocumentTest {
    private static final String BEGIN = "<!-- generated: rules x selections -->";
    private static final String END = "<!-- end -->";
    private static final List<DrafterTraits> DRAFTERS =
            List.of(
                    drafts(TreeShape.CHAIN, Selection.Kind.POINT_MASS),
                    drafts(TreeShape.TREE, Selection.Kind.POINT_MASS),
                    drafts(TreeShape.CHAIN, Selection.Kind.INDEPENDENT),
                    drafts(TreeShape.TREE, Selection.Kind.INDEPENDENT),
                    drafts(TreeShape.CHAIN, Selection.Kind.WITHOUT_REPLACEMENT),
                    drafts(TreeShape.TREE, Selection.Kind.WITHOUT_REPLACEMENT));

    @Test
    void theTableIsGeneratedFromTheCode() throws IOException {
        var file = Path.of(System.getProperty("outrider.root", "../.."), "docs/reference/rules.md");
        String document = Files.readString(file);
        String documented =
                document.substring(document.indexOf(BEGIN) + BEGIN.length(), document.indexOf(END));

        assertThat(documented.strip())
                .as("paste this between the markers of docs/reference/rules.md")
                .isEqualTo(table());
    }

    @Test
    void theDocumentExplainsEveryRule() throws IOException {
        var file = Path.of(System.getProperty("outrider.root", "../.."), "docs/reference/rules.md");
        String document = Files.readString(file);
        String explained = document.substring(document.indexOf(END));

        assertThat(RegisteredRules.all())
                .allSatisfy(rule ->
                        assertThat(explained).contains("**`" + rule.traits().name() + "`**"));
    }

    /// A benchmark names its parameters in a constant, which cannot ask the list of rules.
    @Test
    void theBenchmarkMeasuresEveryRule() throws NoSuchFieldException {
        var measured = RuleBenchmark.Rounds.class.getField("rule").getAnnotation(Param.class);

        assertThat(measured.value())
                .containsExactlyInAnyOrderElementsOf(
                        RegisteredRules.all().stream().map(rule -> rule.traits().name()).toList());
    }

    @ParameterizedTest
    @MethodSource
    void theComparisonOfAPromiseHasEveryRuleThatGivesIt(
            RuleTraits.Promise promise, String configuration) throws IOException {
        var file = Path.of(System.getProperty("outrider.root", "../.."), "configs", configuration);
        var compared =
                Pattern.compile("rule: (?:\\{use: )?([a-z-]+)")
                        .matcher(Files.readString(file))
                        .results()
                        .map(match -> match.group(1))
                        .toList();

        assertThat(RegisteredRules.all())
                .filteredOn(rule -> rule.traits().promise() == promise)
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(compared).contains(rule.traits().name()));
    }

    static Stream<Arguments> theComparisonOfAPromiseHasEveryRuleThatGivesIt() {
        return Stream.of(
                Arguments.of(RuleTraits.Promise.EXACT, "acceptance-rules.yaml"),
                Arguments.of(RuleTraits.Promise.EXACT, "exactness-nightly.yaml"),
                Arguments.of(RuleTraits.Promise.LOSSY, "lossy-controls.yaml"));
    }

    private static String table() {
        return Stream.concat(
                        Stream.of(
                                "| rule | looked up or ranked, chain | looked up or ranked, tree | independent, chain |"
                                        + " independent, tree | without replacement, chain |"
                                        + " without replacement, tree | source |",
                                "| --- | --- | --- | --- | --- | --- | --- | --- |"),
                        RegisteredRules.all().stream().map(rule -> row(rule.traits())))
                .collect(Collectors.joining("\n"));
    }

    private static String row(RuleTraits rule) {
        return "| `%s` | %s | %s |"
                .formatted(
                        rule.name(),
                        DRAFTERS.stream()
                                .map(drafter -> cell(drafter, rule))
                                .collect(Collectors.joining(" | ")),
                        rule.source());
    }

    private static String cell(DrafterTraits drafter, RuleTraits rule) {
        var warm = SamplingPolicy.atTemperature(1);
        try {
            return Compatibility.check(drafter, rule, warm, LossyPairings.inFile(true))
                            == Losslessness.LOSSY
                    ? "lossy"
                    : "exact";
        } catch (OutriderException refusal) {
            return "refused";
        }
    }

    private static DrafterTraits drafts(TreeShape shape, Selection.Kind selection) {
        return DrafterTraits.tree(8, 4).shaped(shape).selecting(selection);
    }
}
