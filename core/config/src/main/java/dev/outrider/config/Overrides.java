package dev.outrider.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Applies `--set a.b[0].c=value` to a YAML tree before it is bound, so overrides pass the same
/// checks as the file.
record Overrides(Problems problems) {
    private static final Pattern STEP =
            Pattern.compile("\\.?[^.\\[\\]=]+|\\[(?:[0-9]{1,6}|\\+)\\]");

    /// Returns the tree with every assignment applied in order; one that cannot be applied is
    /// reported and skipped.
    YamlNode apply(YamlNode root, List<ConfigLoader.Change> changes) {
        YamlNode tree = root;
        for (int i = 0; i < changes.size(); i++) {
            var change = changes.get(i);
            var origin = Origin.commandLine(i, change.typed());
            tree = apply(tree, change.assignment(), origin);
        }
        return tree;
    }

    /// Returns the tree with one more value at a key that is spelled as after `--set`. If it cannot
    /// be there, returns the same tree and adds a problem.
    YamlNode put(YamlNode tree, String key, YamlNode value, Origin origin) {
        List<Step> steps = steps(key.strip());
        if (steps.isEmpty()) {
            problems.add(
                    origin,
                    "",
                    "'%s' is not a key such as drafter.depth or variants[0].name".formatted(key));
            return tree;
        }
        int before = problems.size();
        YamlNode changed = put(tree, steps, value, origin);
        return problems.size() > before ? tree : changed;
    }

    private YamlNode apply(YamlNode tree, String assignment, Origin origin) {
        int equals = assignment.indexOf('=');
        List<Step> steps = equals < 0 ? List.of() : steps(assignment.substring(0, equals).strip());
        if (steps.isEmpty()) {
            problems.add(
                    origin,
                    "",
                    "expected key=value, such as drafter.depth=4 or variants[0].name=short");
            return tree;
        }
        try {
            if (steps.size() > YamlReader.MAX_DEPTH) {
                problems.add(
                        origin,
                        "",
                        "the key has %d steps, expected at most %d"
                                .formatted(steps.size(), YamlReader.MAX_DEPTH));
                return tree;
            }
            YamlNode value = YamlReader.read(assignment.substring(equals + 1), (_, _) -> origin);
            boolean nothing = assignment.substring(equals + 1).isBlank();
            int before = problems.size();
            YamlNode changed =
                    put(
                            tree,
                            steps,
                            nothing ? new YamlNode.Scalar("", false, origin) : value,
                            origin);
            return problems.size() > before ? tree : changed;
        } catch (YamlReader.SyntaxException e) {
            problems.add(origin, "", "the value is not YAML: " + e.problem());
            return tree;
        }
    }

    /// A step down the tree.
    private sealed interface Step {
        /// To the value of a key.
        record Key(String name) implements Step {}

        /// To an item of a list, such as `[3]`.
        record Item(int index) implements Step {}

        /// Behind the last item of a list, `[+]`.
        record Append() implements Step {}
    }

    /// Returns the steps down the tree; nothing if the path is not one.
    private static List<Step> steps(String path) {
        List<Step> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(path);
        int end = 0;
        while (end < path.length()) {
            if (!matcher.find(end) || matcher.start() != end || end == 0 && path.startsWith(".")) {
                return List.of();
            }
            steps.add(step(matcher.group()));
            end = matcher.end();
        }
        return steps;
    }

    /// @param text that [#STEP] matches
    private static Step step(String text) {
        if (text.equals("[+]")) {
            return new Step.Append();
        }
        return text.startsWith("[")
                ? new Step.Item(Integer.parseInt(text, 1, text.length() - 1, 10))
                : new Step.Key(text.startsWith(".") ? text.substring(1) : text);
    }

    private YamlNode put(YamlNode node, List<Step> steps, YamlNode value, Origin origin) {
        if (steps.isEmpty()) {
            return value;
        }
        List<Step> rest = steps.subList(1, steps.size());
        return switch (steps.getFirst()) {
            case Step.Key(String name) ->
                    putKey(asMapping(node, origin), name, rest, value, origin);
            case Step.Item(int index) -> putItem(node, index, rest, value, origin);
            case Step.Append() -> append(node, rest, value, origin);
        };
    }

    /// Turns a scalar into the `use` of a mapping, so that `rule: typical` can be refined by `--set
    /// rule.epsilon=0.1`.
    private static YamlNode.Mapping asMapping(YamlNode node, Origin origin) {
        return switch (node) {
            case YamlNode.Mapping mapping -> mapping;
            case YamlNode.Scalar scalar when !scalar.isNull() ->
                    new YamlNode.Mapping(
                            List.of(new YamlNode.Entry(Names.USE, scalar.origin(), scalar)),
                            scalar.origin());
            default -> new YamlNode.Mapping(List.of(), origin);
        };
    }

    private YamlNode putKey(
            YamlNode.Mapping mapping, String key, List<Step> rest, YamlNode value, Origin origin) {
        List<YamlNode.Entry> entries = new ArrayList<>(mapping.entries());
        for (int i = 0; i < entries.size(); i++) {
            YamlNode.Entry entry = entries.get(i);
            if (Names.camel(entry.key()).equals(Names.camel(key))) {
                Origin keyOrigin = rest.isEmpty() ? origin : entry.keyOrigin();
                entries.set(
                        i,
                        new YamlNode.Entry(
                                entry.key(), keyOrigin, put(entry.value(), rest, value, origin)));
                return new YamlNode.Mapping(entries, mapping.origin());
            }
        }
        YamlNode nothing = new YamlNode.Scalar("", false, origin);
        entries.add(new YamlNode.Entry(key, origin, put(nothing, rest, value, origin)));
        return new YamlNode.Mapping(entries, mapping.origin());
    }

    private YamlNode putItem(
            YamlNode node, int index, List<Step> rest, YamlNode value, Origin origin) {
        if (!isList(node, origin)) {
            return node;
        }
        List<YamlNode> items = items(node);
        if (index >= items.size()) {
            problems.add(
                    origin,
                    "",
                    items.isEmpty()
                            ? "there is no item %d, the list is empty; [+] appends one"
                                    .formatted(index)
                            : "there is no item %d, the last of the list is %d; [+] appends one"
                                    .formatted(index, items.size() - 1));
            return node;
        }
        items.set(index, put(items.get(index), rest, value, origin));
        return new YamlNode.Sequence(items, node.origin());
    }

    private YamlNode append(YamlNode node, List<Step> rest, YamlNode value, Origin origin) {
        if (!isList(node, origin)) {
            return node;
        }
        List<YamlNode> items = items(node);
        items.add(put(new YamlNode.Scalar("", false, origin), rest, value, origin));
        return new YamlNode.Sequence(items, items.size() == 1 ? origin : node.origin());
    }

    /// Returns whether a value is a list or absent.
    private boolean isList(YamlNode node, Origin origin) {
        if (node instanceof YamlNode.Sequence
                || node instanceof YamlNode.Scalar scalar && scalar.isNull()) {
            return true;
        }
        problems.add(origin, "", "there is no list to index here, but " + node.describe());
        return false;
    }

    private static List<YamlNode> items(YamlNode node) {
        return new ArrayList<>(node instanceof YamlNode.Sequence list ? list.items() : List.of());
    }
}
