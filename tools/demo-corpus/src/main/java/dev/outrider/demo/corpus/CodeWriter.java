package dev.outrider.demo.corpus;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A small function in a Python-like language over a list of numbers, with a correct example.
///
/// A function has a filter, a mapping and a fold; its comment states all three.
final class CodeWriter {
    /// A filter, a mapping or a fold, as `texts.txt` lists them.
    private record Rule(String name, String words, String code) {
        static Rule pick(String section, Choices choices) {
            var parts = choices.pick(Lexicon.sentences(section)).split(": ", 3);
            return new Rule(parts[0], parts[1], parts[2]);
        }

        boolean accepts(int x, int k) {
            return switch (name) {
                case "all" -> true;
                case "even" -> x % 2 == 0;
                case "odd" -> x % 2 == 1;
                case "above" -> x > k;
                case "below" -> x < k;
                case "other" -> x != k;
                default -> throw unknown();
            };
        }

        int apply(int x, int n) {
            return switch (name) {
                case "same" -> x;
                case "times" -> x * n;
                case "plus" -> x + n;
                case "square" -> x * x;
                default -> throw unknown();
            };
        }

        String fold(int[] values) {
            return switch (name) {
                case "sum" -> String.valueOf(IntStream.of(values).sum());
                case "count" -> String.valueOf(values.length);
                case "max" -> String.valueOf(IntStream.of(values).max().orElse(0));
                case "list" -> Arrays.toString(values);
                default -> throw unknown();
            };
        }

        private IllegalStateException unknown() {
            return new IllegalStateException("unknown rule of code " + name);
        }
    }

    private CodeWriter() {}

    static Document.Parts write(Choices choices) {
        int k = choices.between(2, 30);
        var filter = Rule.pick("code filters", choices);
        int n = choices.between(2, 20);
        var mapping = Rule.pick("code mappings", choices);
        var fold = Rule.pick("code folds", choices);
        var slots = new HashMap<String, Object>(Map.of("k", k, "n", n));
        for (var slot : List.of("result", "list", "x")) {
            slots.put(slot, choices.word("code " + slot));
        }
        slots.put("name", fold.name() + "_" + Prose.fill(choices.word("code names"), slots));
        slots.put("value", Prose.fill(mapping.code(), slots));
        slots.put("init", fold.name().equals("list") ? "[]" : "0");
        var example =
                IntStream.range(0, choices.between(2, 5))
                        .map(i -> choices.between(1, 30))
                        .toArray();
        var values =
                IntStream.of(example)
                        .filter(x -> filter.accepts(x, k))
                        .map(x -> mapping.apply(x, n))
                        .toArray();
        slots.put("example", Arrays.toString(example));
        slots.put("returned", fold.fold(values));
        var condition =
                filter.name().equals("all") ? "" : "if " + filter.code() + ":\n            ";
        var prompt =
                "# Return %s %s%s.\ndef {name}({list}):"
                        .formatted(fold.words(), filter.words(), mapping.words());
        var body =
                """

                    {result} = {init}
                    for {x} in {list}:
                        %s%s
                    return {result}

                assert {name}({example}) == {returned}
                """
                        .formatted(condition, fold.code());
        return new Document.Parts(Prose.fill(prompt, slots), Prose.fill(body, slots));
    }
}
