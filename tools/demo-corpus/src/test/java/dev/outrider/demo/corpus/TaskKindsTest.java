package dev.outrider.demo.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Checks each kind of document from its text alone, with code that is independent of the writers.
class TaskKindsTest {
    private static final int DOCUMENTS = 1500;

    private static Stream<Document> documents(TaskKind kind) {
        return new CorpusGenerator(3).documents(Split.TRAIN, kind).limit(DOCUMENTS);
    }

    @Test
    void everyEquationInArithmeticHolds() {
        var equation = Pattern.compile("(\\d+(?: [-+*] \\d+)+) = (\\d+)");
        documents(TaskKind.ARITHMETIC)
                .forEach(document -> {
                    var equations = equation.matcher(document.continuation()).results().toList();
                    assertThat(equations).as(document.text()).isNotEmpty();
                    for (var match : equations) {
                        assertThat(evaluate(match.group(1)))
                                .as(document.text())
                                .isEqualTo(Integer.parseInt(match.group(2)));
                    }
                });
    }

    @Test
    void theAnswerOfACalculationIsItsResult() {
        documents(TaskKind.ARITHMETIC)
                .filter(document -> document.prompt().startsWith("Calculate: "))
                .forEach(document -> {
                    var task =
                            document.prompt()
                                    .substring(
                                            "Calculate: ".length(),
                                            document.prompt().indexOf('\n'));
                    assertThat(document.continuation())
                            .endsWith("\nAnswer: " + evaluate(task) + "\n");
                });
    }

    @Test
    void theAnswerOfAWordProblemFollowsFromItsSentences() {
        var change = Pattern.compile("(buys|finds|gives (?:her|him)|gives|loses|sells) (\\d+)");
        documents(TaskKind.ARITHMETIC)
                .filter(document -> document.prompt().startsWith("Problem: "))
                .forEach(document -> {
                    var first =
                            Pattern.compile("has (\\d+)")
                                    .matcher(document.prompt())
                                    .results()
                                    .findFirst()
                                    .orElseThrow();
                    int count = Integer.parseInt(first.group(1));
                    for (var match : change.matcher(document.prompt()).results().toList()) {
                        int n = Integer.parseInt(match.group(2));
                        boolean loses = List.of("gives", "loses", "sells").contains(match.group(1));
                        count += loses ? -n : n;
                    }
                    assertThat(document.continuation())
                            .containsPattern("Answer: \\w+ has " + count + " \\w+\\.\n$");
                });
    }

    @Test
    void extractedJsonHoldsTheWantedCellsOfTheTable() {
        documents(TaskKind.EXTRACTION)
                .forEach(document -> {
                    var lines = document.prompt().lines().toList();
                    var header = List.of(lines.get(1).split(" \\| "));
                    var fields =
                            List.of(
                                    lines.get(lines.size() - 2)
                                            .substring("Fields: ".length())
                                            .split(", "));
                    var rows = lines.subList(2, lines.size() - 2);
                    var json = parse(document.continuation());
                    assertThat(json).hasSameSizeAs(rows);
                    for (int i = 0; i < rows.size(); i++) {
                        var cells = List.of(rows.get(i).split(" \\| "));
                        var names = new ArrayList<String>();
                        json.get(i).fieldNames().forEachRemaining(names::add);
                        assertThat(names).isEqualTo(fields);
                        for (var field : fields) {
                            assertThat(json.get(i).get(field).asText())
                                    .isEqualTo(cells.get(header.indexOf(field)));
                        }
                    }
                });
    }

    @Test
    void summariesQuoteSentencesThatReallyOccur() {
        var quote = Pattern.compile("\"([^\"]+)\"");
        documents(TaskKind.SUMMARY)
                .forEach(document -> {
                    var quotes =
                            quote.matcher(document.continuation())
                                    .results()
                                    .map(match -> match.group(1))
                                    .toList();
                    assertThat(quotes).hasSize(2).doesNotHaveDuplicates();
                    assertThat(quotes).allMatch(sentence -> document.prompt().contains(sentence));
                });
    }

    @Test
    void codeExamplesStateWhatTheCodeReturns() {
        documents(TaskKind.CODE)
                .forEach(document ->
                        assertThat(run(document.text()))
                                .as(document.text())
                                .isEqualTo(expected(document.text())));
    }

    @Test
    void answersAgreeWithReplayingThePassage() {
        documents(TaskKind.QUESTION)
                .forEach(document ->
                        assertThat(
                                        PassageReplay.of(document.prompt())
                                                .agreesWith(document.continuation()))
                                .as(document.text())
                                .isTrue());
    }

    @Test
    void storiesNameTheirHeroAndTheirThingAndEndWithWhoHasWhat() {
        var asked = Pattern.compile("about (\\w+), an? \\w+ \\w+, and an? \\w+ (\\w+)\\.");
        documents(TaskKind.STORY)
                .forEach(document -> {
                    var match =
                            asked.matcher(document.prompt()).results().findFirst().orElseThrow();
                    assertThat(document.continuation()).contains(match.group(1), match.group(2));
                    assertThat(document.continuation())
                            .containsPattern("(So|And) \\w+ had [^.]*the " + match.group(2));
                });
    }

    private static JsonNode parse(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (java.io.IOException failure) {
            throw new AssertionError("not JSON: " + json, failure);
        }
    }

    private static int evaluate(String expression) {
        var parts = expression.split(" ");
        int value = Integer.parseInt(parts[0]);
        for (int i = 1; i < parts.length; i += 2) {
            int operand = Integer.parseInt(parts[i + 1]);
            value =
                    switch (parts[i]) {
                        case "+" -> value + operand;
                        case "-" -> value - operand;
                        case "*" -> value * operand;
                        default -> throw new AssertionError("unknown operator " + parts[i]);
                    };
        }
        return value;
    }

    private static String expected(String code) {
        return group(code, " == ([^=]+)\n$");
    }

    /// Returns the output of a function of the corpus.
    private static String run(String code) {
        var input =
                Stream.of(group(code, "assert \\w+\\(\\[(.*)\\]\\)").split(", "))
                        .map(Integer::parseInt)
                        .toList();
        var element = group(code, "for (\\w+) in");
        var result = group(code, "return (\\w+)\n");
        var step =
                Pattern.compile("\n +(%s[.( ].*)\n    return".formatted(result))
                        .matcher(code)
                        .results()
                        .map(match -> match.group(1))
                        .findFirst()
                        .orElseThrow();
        int total = 0;
        var listed = new ArrayList<Integer>();
        for (int x : input) {
            var condition =
                    Pattern.compile("if (.*):")
                            .matcher(code)
                            .results()
                            .map(match -> match.group(1))
                            .findFirst();
            if (condition.isPresent()
                    && !holds(condition.get().replaceAll("\\b" + element + "\\b", "" + x))) {
                continue;
            }
            var bound = step.replaceAll("\\b" + element + "\\b", "" + x);
            if (bound.contains(".append(")) {
                listed.add(evaluate(group(bound, "append\\((.*)\\)")));
            } else if (bound.contains("max(")) {
                total = Math.max(total, evaluate(group(bound, ", (.*)\\)")));
            } else {
                total += evaluate(group(bound, "= " + result + " \\+ (.*)$"));
            }
        }
        return code.contains(".append(") ? listed.toString() : "" + total;
    }

    private static boolean holds(String condition) {
        var parts = condition.split(" ");
        int left = Integer.parseInt(parts[0]);
        int right = Integer.parseInt(parts[2]);
        return switch (parts[1]) {
            case "%" -> left % right == Integer.parseInt(parts[4]);
            case ">" -> left > right;
            case "<" -> left < right;
            case "!=" -> left != right;
            default -> throw new AssertionError("unknown condition " + condition);
        };
    }

    private static String group(String text, String pattern) {
        return Pattern.compile(pattern)
                        .matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .findFirst()
                        .isEmpty()
                ? fail(text, pattern)
                : Pattern.compile(pattern)
                        .matcher(text)
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1);
    }

    private static String fail(String text, String pattern) {
        throw new AssertionError("no match for %s in:\n%s".formatted(pattern, text));
    }
}
