package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.Branches.Branch;
import dev.outrider.drafter.smallmodel.LikelyOutcomes.AcceptedGuesses;
import dev.outrider.drafter.smallmodel.LikelyOutcomes.NextTokens;
import dev.outrider.drafter.smallmodel.LikelyOutcomes.Outcome;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftWithRows;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.TreeRows;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting.Upcoming;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Drafts on before the draft is decided about, for the most probable outcomes of the round at a time: their next drafts grow level by level,
/// and each pass runs a level of all of them.
///
/// Confined to one thread.
///
/// @param expander     grows the drafts
/// @param next         what the drafter thinks of the next token
/// @param maxPositions longest sequence of the draft model
/// @param most         outcomes that are worked on
/// @see "Liu et al. 2024 (PEARL), post-verify; Kumar et al. 2026 (Saguaro); Shen et al. 2025 (SpecBranch)"
record DraftContinuer(TreeExpander expander, NextTokens next, int maxPositions, int most) {
    /// Rows that the work takes behind those of a draft.
    ///
    /// @param draftRows of one draft
    static int rows(int most, int draftRows) {
        return Math.multiplyExact(most, Math.addExact(draftRows, 2));
    }

    /// Runs as much as is wanted.
    ///
    /// @param passes   run rows after those of the draft
    /// @param tokens   committed tokens; not changed
    /// @param proposed the draft
    /// @param logits   of the draft's nodes that were run
    /// @param accepted what the drafter's probabilities are worth
    Branches run(
            RowsAhead passes,
            CommittedTokens tokens,
            DraftWithRows proposed,
            KeptLogits logits,
            AcceptedGuesses accepted,
            Upcoming upcoming) {
        var draft = proposed.draft();
        var outcomes = new LikelyOutcomes(next, tokens, draft, accepted, upcoming.ending(), most);
        var branches = new Branches(proposed, outcomes);
        if (!logits.knowRoot() || !upcoming.wanted().getAsBoolean()) {
            return branches;
        }
        var unknown = new ArrayList<Integer>();
        outcomes.after(0, logits.after(StepInput.ROOT));
        for (int node = 1; node < draft.tree().size(); node++) {
            if (proposed.row(node) >= 0) {
                outcomes.after(node, logits.after(proposed.row(node)));
            } else if (draft.tree().verified(node)) {
                unknown.add(node);
            }
        }
        runUnknown(passes, branches, outcomes, outcomes.worthRunning(unknown), draft.tree());
        if (upcoming.wanted().getAsBoolean()) {
            begin(passes, branches, tokens, draft.tree(), outcomes.best(), upcoming);
        }
        while (upcoming.wanted().getAsBoolean() && runLevel(passes, branches)) {}
        return branches;
    }

    /// Runs nodes of the draft that have no row, and lets what follows them take part.
    private static void runUnknown(
            RowsAhead passes,
            Branches branches,
            LikelyOutcomes outcomes,
            List<Integer> nodes,
            TokenTree tree) {
        if (nodes.isEmpty()) {
            return;
        }
        int first = passes.next();
        var logits =
                passes.run(
                        nodes.stream()
                                .map(node ->
                                        step(
                                                branches,
                                                tree.parent(node),
                                                tree.token(node),
                                                tree.depth(node)))
                                .toList());
        for (int index = 0; index < nodes.size(); index++) {
            branches.ran(nodes.get(index), first + index);
            outcomes.after(nodes.get(index), logits.get(index));
        }
    }

    /// Runs the tokens that follow, and begins the drafts below them.
    private void begin(
            RowsAhead passes,
            Branches branches,
            CommittedTokens tokens,
            TokenTree tree,
            List<Outcome> outcomes,
            Upcoming upcoming) {
        var worked =
                outcomes.stream()
                        .filter(outcome -> budget(outcome, tokens, tree, upcoming).maxDepth() > 0)
                        .toList();
        if (worked.isEmpty()) {
            return;
        }
        int first = passes.next();
        var logits =
                passes.run(
                        worked.stream()
                                .map(outcome ->
                                        step(
                                                branches,
                                                outcome.node(),
                                                outcome.token(),
                                                tree.depth(outcome.node()) + 1))
                                .toList());
        for (int index = 0; index < worked.size(); index++) {
            var outcome = worked.get(index);
            var path = Arrays.stream(tree.path(outcome.node())).skip(1).boxed().toList();
            var text = new CommittedTokens();
            text.append(tokens.range(0, tokens.length()));
            path.forEach(node -> text.append(tree.token(node)));
            text.append(outcome.token());
            var growing =
                    expander.begin(
                            DraftStepper.Dependence.PATH,
                            text.history(),
                            budget(outcome, tokens, tree, upcoming),
                            upcoming.next().get());
            branches.add(
                    new Branch(
                            path,
                            branches.rows(path),
                            outcome.token(),
                            first + index,
                            logits.get(index),
                            growing));
        }
    }

    /// Returns the budget of the draft after an outcome, limited by the draft model's positions.
    private DraftBudget budget(
            Outcome outcome, CommittedTokens tokens, TokenTree tree, Upcoming upcoming) {
        int committed = tree.depth(outcome.node()) + 1;
        var budget = upcoming.budget().apply(committed);
        int depth = Math.min(budget.maxDepth(), maxPositions - tokens.length() - committed + 1);
        return depth < 1 ? new DraftBudget(0, 0) : budget.within(budget.maxNodes(), depth);
    }

    /// Runs the next level of all branches in one pass.
    ///
    /// @return whether any had one
    private static boolean runLevel(RowsAhead passes, Branches branches) {
        var growing = branches.all().stream().filter(branch -> !branch.wanted().isEmpty()).toList();
        if (growing.isEmpty()) {
            return false;
        }
        int first = passes.next();
        var wanted = growing.stream().map(Branch::wanted).toList();
        var logits = passes.run(wanted.stream().flatMap(List::stream).toList());
        int done = 0;
        for (int index = 0; index < growing.size(); index++) {
            int end = done + wanted.get(index).size();
            growing.get(index).take(first + done, logits.subList(done, end));
            done = end;
        }
        return true;
    }

    /// A step below a node of the draft.
    private static StepInput step(Branches branches, int parent, int token, int depth) {
        return new StepInput(token, parent == 0 ? StepInput.ROOT : branches.row(parent), depth);
    }

    /// Passes for nodes below a draft before its verdict: scratch rows after the draft's. Logits are copied and each pass is
    /// closed at once, on the thread that ran it.
    ///
    /// Confined to one thread.
    ///
    /// @param network the draft model
    /// @param cache   holds the rows
    /// @param rows    of the draft, and of what is run here
    record RowsAhead(DecoderNetwork network, KvCache cache, TreeRows rows) {
        /// Runs nodes in one pass. Their parents were run before.
        ///
        /// @return logits of each
        List<float[]> run(List<StepInput> nodes) {
            try (var pass =
                    network.forward(List.of(rows.append(cache, nodes)), PassOutputs.allLogits())) {
                return IntStream.range(0, nodes.size())
                        .mapToObj(row -> pass.logits(row).toArray(ValueLayout.JAVA_FLOAT))
                        .toList();
            }
        }

        /// Rows so far: the row of the next node.
        int next() {
            return rows.size();
        }
    }
}
