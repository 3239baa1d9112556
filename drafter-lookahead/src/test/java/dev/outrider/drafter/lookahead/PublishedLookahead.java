package dev.outrider.drafter.lookahead;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

/// A second implementation of the published state machine, from docs/reference/algorithms.md A6.2
/// alone: plain lists, no tree, no session. The visible positions of a guess of the window are
/// written as the published set of columns. The one deviation is that the token after a fully
/// matched guess is emitted.
final class PublishedLookahead {
    private final ToIntFunction<List<Integer>> argmax;
    private final int levels;
    private final int guessSet;
    private final boolean fromPrompt;
    private final IntSupplier promptToken;
    private final Set<Integer> ends;
    final List<Integer> text = new ArrayList<>();
    final List<List<Integer>> window = new ArrayList<>();
    final Map<Integer, Deque<List<Integer>>> pool = new HashMap<>();

    /// @param argmax      the model: most probable token after a prefix
    /// @param promptToken copies a random token of the prompt
    PublishedLookahead(
            ToIntFunction<List<Integer>> argmax,
            LookaheadConfig config,
            List<Integer> prompt,
            IntSupplier promptToken,
            Set<Integer> ends) {
        this.argmax = argmax;
        this.levels = config.level() - 1;
        this.guessSet = config.guesses();
        this.fromPrompt = config.poolFromPrompt();
        this.promptToken = promptToken;
        this.ends = ends;
        text.addAll(prompt);
        var first = new ArrayList<Integer>();
        for (int i = 0; i < config.window() + config.level() - 3; i++) {
            first.add(promptToken.getAsInt());
        }
        window.add(first);
        if (fromPrompt) {
            for (int start = 0; start + levels < prompt.size(); start++) {
                insert(prompt.get(start), prompt.subList(start + 1, start + 1 + levels));
            }
        }
    }

    boolean warm() {
        return window.size() == levels;
    }

    List<List<Integer>> guesses() {
        return warm() ? List.copyOf(pool.getOrDefault(current(), new ArrayDeque<>())) : List.of();
    }

    /// One forward pass; returns the emitted tokens.
    List<Integer> step() {
        var emitted = verified();
        var newest = window.size() - 1;
        int columns = window.getFirst().size() + 1;
        var results = new ArrayList<Integer>();
        for (int column = 0; column < columns; column++) {
            results.add(argmax.applyAsInt(visible(newest, column)));
        }
        if (warm()) {
            for (int column = 0; column < columns; column++) {
                var value = new ArrayList<Integer>();
                for (int level = 1; level < levels; level++) {
                    value.add(at(level, column));
                }
                value.add(results.get(column));
                insert(at(0, column), value);
            }
            window.add(withoutEnds(results));
            window.removeFirst();
            window.set(0, tail(window.getFirst()));
        } else {
            window.replaceAll(PublishedLookahead::tail);
            window.add(withoutEnds(tail(results)));
        }
        for (int token : emitted) {
            text.add(token);
            int size = text.size();
            if (fromPrompt && size > levels) {
                insert(text.get(size - 1 - levels), text.subList(size - levels, size));
            }
        }
        return emitted;
    }

    private List<Integer> verified() {
        List<Integer> best = List.of(argmax.applyAsInt(text));
        for (var guess : guesses()) {
            var prefix = new ArrayList<>(text);
            var correct = new ArrayList<Integer>();
            correct.add(argmax.applyAsInt(prefix));
            for (int i = 0; i < guess.size() && guess.get(i).equals(correct.get(i)); i++) {
                prefix.add(guess.get(i));
                correct.add(argmax.applyAsInt(prefix));
            }
            best = correct.size() > best.size() ? correct : best;
        }
        return best;
    }

    /// Returns the cache and the current token, columns 1 to `column` of level 0, then that column
    /// of levels 1 to `level`.
    private List<Integer> visible(int level, int column) {
        var prefix = new ArrayList<>(text);
        for (int other = 1; other <= column; other++) {
            prefix.add(at(0, other));
        }
        for (int other = 1; other <= level; other++) {
            prefix.add(at(other, column));
        }
        return prefix;
    }

    private int at(int level, int column) {
        if (level > 0) {
            return window.get(level).get(column);
        }
        return column == 0 ? current() : window.getFirst().get(column - 1);
    }

    private int current() {
        return text.getLast();
    }

    private void insert(int key, List<Integer> value) {
        var known = pool.computeIfAbsent(key, _ -> new ArrayDeque<>());
        var copy = List.copyOf(value);
        if (!known.remove(copy) && known.size() == guessSet) {
            known.removeFirst();
        }
        known.addLast(copy);
    }

    private List<Integer> withoutEnds(List<Integer> tokens) {
        var kept = new ArrayList<>(tokens);
        for (int i = 0; i < kept.size(); i++) {
            if (ends.contains(kept.get(i))) {
                kept.set(i, promptToken.getAsInt());
            }
        }
        return kept;
    }

    private static List<Integer> tail(List<Integer> tokens) {
        return tokens.isEmpty()
                ? Collections.emptyList()
                : new ArrayList<>(tokens.subList(1, tokens.size()));
    }
}
