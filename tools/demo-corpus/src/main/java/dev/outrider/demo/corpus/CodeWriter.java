package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// A small function in a Python-like language over a list of numbers, with a correct example.
///
/// A function is made of a filter, a mapping and a fold; the comment states all three.
final class CodeWriter {
    /// The elements that count.
    private record Filter(String words, String code, IntPredicate accepts) {}

    /// The new value of an element.
    private record Mapping(String words, String code, IntUnaryOperator apply) {}

    /// The result of all elements.
    private record Fold(
            String words,
            String stem,
            String init,
            String step,
            Function<int[], String> evaluate) {}

    private static final List<Fold> FOLDS =
            List.of(
                    new Fold(
                            "the sum of",
                            "sum",
                            "0",
                            "{result} = {result} + {value}",
                            values -> String.valueOf(IntStream.of(values).sum())),
                    new Fold(
                            "the number of",
                            "count",
                            "0",
                            "{result} = {result} + 1",
                            values -> String.valueOf(values.length)),
                    new Fold(
                            "the largest of",
                            "max",
                            "0",
                            "{result} = max({result}, {value})",
                            values -> String.valueOf(IntStream.of(values).max().orElse(0))),
                    new Fold(
                            "a list of",
                            "list",
                            "[]",
                            "{result}.append({value})",
                            Arrays::toString));
    private static final List<String> RESULTS = List.of("result", "total", "answer", "out", "acc");
    private static final List<String> LISTS = List.of("items", "numbers", "values", "data", "xs");
    private static final List<String> ELEMENTS = List.of("x", "n", "item", "value", "e");

    private CodeWriter() {}

    static PromptAndContinuation write(Choices choices) {
        var filter = filter(choices);
        var mapping = mapping(choices);
        var fold = choices.pick(FOLDS);
        var result = choices.pick(RESULTS);
        var list = choices.pick(LISTS);
        var element = choices.pick(ELEMENTS);
        var name =
                "%s_%s"
                        .formatted(
                                fold.stem(),
                                choices.phrase(
                                        "of_" + list,
                                        list,
                                        "chosen",
                                        "selected",
                                        "some",
                                        "picked",
                                        "kept",
                                        "found",
                                        "all",
                                        "them"));
        var value = mapping.code().replace("{x}", element);
        var step = fold.step().replace("{result}", result).replace("{value}", value);
        var indent = filter.code().isEmpty() ? "        " : "            ";
        var condition =
                filter.code().isEmpty()
                        ? ""
                        : "        if %s:\n".formatted(filter.code().replace("{x}", element));
        var example = new ArrayList<Integer>();
        int count = choices.between(2, 5);
        for (int i = 0; i < count; i++) {
            example.add(choices.between(1, 30));
        }
        var prompt =
                "# Return %s %s%s.\ndef %s(%s):"
                        .formatted(
                                fold.words(),
                                filter.words().formatted(list),
                                mapping.words(),
                                name,
                                list);
        var body =
                "\n    %s = %s\n    for %s in %s:\n%s%s%s\n    return %s\n\nassert %s(%s) == %s\n"
                        .formatted(
                                result,
                                fold.init(),
                                element,
                                list,
                                condition,
                                indent,
                                step,
                                result,
                                name,
                                example,
                                evaluate(fold, filter, mapping, example));
        return new PromptAndContinuation(prompt, body);
    }

    private static Filter filter(Choices choices) {
        int k = choices.between(2, 30);
        return switch (choices.between(0, 8)) {
            case 0 -> new Filter("all %s", "", x -> true);
            case 1 -> new Filter("the even %s", "{x} % 2 == 0", x -> x % 2 == 0);
            case 2 -> new Filter("the odd %s", "{x} % 2 == 1", x -> x % 2 == 1);
            case 3, 4 -> new Filter("the %s above " + k, "{x} > " + k, x -> x > k);
            case 5, 6 -> new Filter("the %s below " + k, "{x} < " + k, x -> x < k);
            default -> new Filter("the %s that are not " + k, "{x} != " + k, x -> x != k);
        };
    }

    private static Mapping mapping(Choices choices) {
        int k = choices.between(2, 20);
        return switch (choices.between(0, 4)) {
            case 0, 1 -> new Mapping("", "{x}", x -> x);
            case 2 -> new Mapping(", each times " + k, "{x} * " + k, x -> x * k);
            case 3 -> new Mapping(", each plus " + k, "{x} + " + k, x -> x + k);
            default -> new Mapping(", each squared", "{x} * {x}", x -> x * x);
        };
    }

    private static String evaluate(
            Fold fold, Filter filter, Mapping mapping, List<Integer> example) {
        var values =
                example.stream()
                        .mapToInt(Integer::intValue)
                        .filter(filter.accepts())
                        .map(mapping.apply())
                        .toArray();
        return fold.evaluate().apply(values);
    }
}
