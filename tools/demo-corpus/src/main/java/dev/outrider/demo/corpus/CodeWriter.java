package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

/// A small function in a Python-like language over a list of numbers, with a correct example.
///
/// A function has a filter, a mapping and a fold; its comment states all three.
final class CodeWriter {
    /// The elements that count, compared with a number k.
    private record Filter(String words, String code, BiPredicate<Integer, Integer> accepts) {}

    /// The new value of an element, computed with a number k.
    private record Mapping(String words, String code, IntBinaryOperator apply) {}

    /// The result of all elements.
    private record Fold(String stem, String words, String init, String step) {
        String evaluate(int[] values) {
            return switch (stem) {
                case "sum" -> String.valueOf(IntStream.of(values).sum());
                case "count" -> String.valueOf(values.length);
                case "max" -> String.valueOf(IntStream.of(values).max().orElse(0));
                default -> Arrays.toString(values);
            };
        }
    }

    private static final Filter ABOVE =
            new Filter("the {list} above {k}", "{x} > {k}", (x, k) -> x > k);
    private static final Filter BELOW =
            new Filter("the {list} below {k}", "{x} < {k}", (x, k) -> x < k);
    private static final Filter OTHER =
            new Filter("the {list} that are not {k}", "{x} != {k}", (x, k) -> !x.equals(k));

    /// A filter that is listed twice is drawn twice as often.
    private static final List<Filter> FILTERS =
            List.of(
                    new Filter("all {list}", "", (x, k) -> true),
                    new Filter("the even {list}", "{x} % 2 == 0", (x, k) -> x % 2 == 0),
                    new Filter("the odd {list}", "{x} % 2 == 1", (x, k) -> x % 2 == 1),
                    ABOVE,
                    ABOVE,
                    BELOW,
                    BELOW,
                    OTHER,
                    OTHER);

    private static final Mapping SAME = new Mapping("", "{x}", (x, k) -> x);
    private static final List<Mapping> MAPPINGS =
            List.of(
                    SAME,
                    SAME,
                    new Mapping(", each times {k}", "{x} * {k}", (x, k) -> x * k),
                    new Mapping(", each plus {k}", "{x} + {k}", (x, k) -> x + k),
                    new Mapping(", each squared", "{x} * {x}", (x, k) -> x * x));
    private static final List<Fold> FOLDS =
            Lexicon.sentences("code folds").stream()
                    .map(fold -> fold.split(": ", 4))
                    .map(parts -> new Fold(parts[0], parts[1], parts[2], parts[3]))
                    .toList();

    private CodeWriter() {}

    static Document.Parts write(Choices choices) {
        int k = choices.between(2, 30);
        var filter = choices.pick(FILTERS);
        int operand = choices.between(2, 20);
        var mapping = choices.pick(MAPPINGS);
        var fold = choices.pick(FOLDS);
        var result = choices.pick(Lexicon.words("code results"));
        var list = choices.pick(Lexicon.words("code lists"));
        var element = choices.pick(Lexicon.words("code elements"));
        var filtered = Map.of("list", list, "x", element, "k", k);
        var mapped = Map.of("x", element, "k", operand);
        var name =
                fold.stem() + "_" + Prose.fill(choices.pick(Lexicon.words("code names")), filtered);
        var step =
                Prose.fill(
                        fold.step(),
                        Map.of("result", result, "value", Prose.fill(mapping.code(), mapped)));
        var indented =
                filter.code().isEmpty()
                        ? "        " + step
                        : "        if %s:\n            %s"
                                .formatted(Prose.fill(filter.code(), filtered), step);
        var example = new ArrayList<Integer>();
        int count = choices.between(2, 5);
        for (int i = 0; i < count; i++) {
            example.add(choices.between(1, 30));
        }
        var values =
                example.stream()
                        .filter(x -> filter.accepts().test(x, k))
                        .mapToInt(x -> mapping.apply().applyAsInt(x, operand))
                        .toArray();
        var prompt =
                "# Return %s %s%s.\ndef %s(%s):"
                        .formatted(
                                fold.words(),
                                Prose.fill(filter.words(), filtered),
                                Prose.fill(mapping.words(), mapped),
                                name,
                                list);
        var body =
                "\n    %s = %s\n    for %s in %s:\n%s\n    return %s\n\nassert %s(%s) == %s\n"
                        .formatted(
                                result,
                                fold.init(),
                                element,
                                list,
                                indented,
                                result,
                                name,
                                example,
                                fold.evaluate(values));
        return new Document.Parts(prompt, body);
    }
}
