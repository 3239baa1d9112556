package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.StepInput;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What was run ahead for one outcome of a round: a path of the draft is accepted down to its leaf, and a guessed token follows.
/// Where another token follows, the leaf's row is still of use.
///
/// Its rows are the last ones of the cache's scratch rows, but for those of the path above the leaf. Confined to one thread.
final class Continuation {
    private final List<Integer> path;
    private final List<Integer> rows;
    private final List<Level> levels = new ArrayList<>();
    private int token = -1;
    private int tokenRow = -1;
    private float[] rootLogits = new float[0];
    private int levelRows;

    /// Draft steps that were run in one pass.
    ///
    /// @param nodes  as the next draft asks for them
    /// @param logits of each node
    record Level(List<StepInput> nodes, List<float[]> logits) {}

    /// @param path nodes of the draft, the leaf last
    /// @param rows their scratch rows
    Continuation(List<Integer> path, List<Integer> rows) {
        this.path = List.copyOf(path);
        this.rows = List.copyOf(rows);
    }

    /// The guess was run.
    ///
    /// @param guessed the token that is guessed to follow the path
    /// @param row     its scratch row
    /// @param logits  of its successors
    void follow(int guessed, int row, float[] logits) {
        token = guessed;
        tokenRow = row;
        rootLogits = logits;
    }

    /// A level of the next draft was run.
    void add(Level level) {
        levels.add(level);
        levelRows += level.nodes().size();
    }

    /// Whether the whole path was accepted.
    boolean reaches(Verdict verdict) {
        return verdict.acceptedNodes().equals(path);
    }

    /// Whether the round ended as guessed, and the guess was run.
    boolean foresaw(Verdict verdict) {
        return tokenRow >= 0 && reaches(verdict) && verdict.nextToken() == token;
    }

    /// Scratch rows of the path.
    List<Integer> pathRows() {
        return rows;
    }

    /// Scratch rows of the path and the guess, then those of the levels.
    List<Integer> allRows() {
        var all = new ArrayList<>(rows);
        IntStream.rangeClosed(tokenRow, tokenRow + levelRows).forEach(all::add);
        return all;
    }

    /// Tokens that are committed if the round ends as guessed.
    int committed() {
        return path.size() + 1;
    }

    /// Logits of the guess' successors.
    float[] rootLogits() {
        return rootLogits;
    }

    /// The levels of the next draft that were run, from the first.
    List<Level> levels() {
        return levels;
    }
}
