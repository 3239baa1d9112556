package dev.outrider.nn.target;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassScores.SharedPass;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Scores the trees of several sessions in one pass. Rows that already ran through the first layers join the others above those
/// layers; trees that begin at different layers are scored in separate passes.
///
/// @param network     runs the pass
/// @param description of the target
record ScoringPass(DecoderNetwork network, TargetDescription description) {
    /// The properties that all trees of one pass share: their first layer, and the states that are reported.
    private record Company(int layer, Set<HiddenState> states) {
        static final Company FROM_THE_FIRST_LAYER = new Company(0, Set.of());
    }

    /// @param trees one per session
    /// @return scores in the order of the trees
    List<TargetScores> score(List<StagedTree> trees) {
        var scores = new TargetScores[trees.size()];
        return Undo.onFailure(
                () ->
                        Arrays.stream(scores)
                                .flatMap(each -> Optional.ofNullable(each).stream())
                                .forEach(TargetScores::close),
                () -> {
                    for (var group : groups(trees).entrySet()) {
                        score(trees, group.getValue(), group.getKey().layer(), scores);
                    }
                    return Arrays.asList(scores);
                });
    }

    /// Groups the indices of the trees by company. A tree without rows of an earlier pass joins any company that reports the same
    /// states.
    private static Map<Company, List<Integer>> groups(List<StagedTree> trees) {
        var groups = new LinkedHashMap<Company, List<Integer>>();
        for (int index = 0; index < trees.size(); index++) {
            var tree = trees.get(index);
            if (tree.layer() > 0) {
                groups.computeIfAbsent(
                                new Company(tree.layer(), tree.states()), _ -> new ArrayList<>())
                        .add(index);
            }
        }
        for (int index = 0; index < trees.size(); index++) {
            var tree = trees.get(index);
            if (tree.layer() == 0) {
                var company =
                        groups.keySet().stream()
                                .filter(each -> each.states().equals(tree.states()))
                                .findFirst()
                                .orElse(Company.FROM_THE_FIRST_LAYER);
                groups.computeIfAbsent(company, _ -> new ArrayList<>()).add(index);
            }
        }
        return groups;
    }

    private void score(
            List<StagedTree> trees, List<Integer> group, int layer, TargetScores[] scores) {
        var members = group.stream().map(trees::get).toList();
        var states = new HashSet<HiddenState>();
        members.forEach(each -> states.addAll(each.states()));
        var outputs = new PassOutputs(LogitRows.ALL, states);
        var unrun = members.stream().flatMap(each -> each.unrun().stream()).toList();
        var result =
                layer == 0
                        ? network.forward(unrun, outputs)
                        : joined(members, unrun, layer, outputs);
        var pass = new SharedPass(result, group.size());
        int first = 0;
        for (int index : group) {
            var tree = trees.get(index);
            scores[index] =
                    new PassScores(
                            pass, first, tree.row(), tree.states(), description.vocabularySize());
            first += tree.rows().size();
        }
    }

    /// Runs the rows without an earlier pass up to the layer, then all rows from there.
    private PassResult joined(
            List<StagedTree> trees, List<RowBlock> unrun, int layer, PassOutputs outputs) {
        var layered = (LayeredNetwork) network;
        var below =
                unrun.isEmpty()
                        ? Optional.<PassResult>empty()
                        : Optional.of(
                                layered.forward(
                                        unrun,
                                        new PassOutputs(
                                                LogitRows.NONE,
                                                DraftRows.statesUpTo(
                                                        layer, outputs.hiddenStates())),
                                        new LayerSubset.First(layer)));
        try {
            var rows = new ArrayList<PassRow>();
            int next = 0;
            for (var tree : trees) {
                rows.addAll(tree.begun());
                for (int row = tree.begun().size(); row < tree.rows().size(); row++) {
                    rows.add(new PassRow(below.orElseThrow(), next++));
                }
            }
            var blocks = trees.stream().map(StagedTree::all).toList();
            return layered.resume(blocks, outputs, layer, rows);
        } finally {
            below.ifPresent(PassResult::close);
        }
    }

    /// A session's tree, prepared for a pass.
    ///
    /// @param session its session
    /// @param cache   the session's; its scratch rows are the first rows of the tree, one per state
    /// @param tree    the tree to score
    /// @param rows    the rows that the pass computes
    /// @param row     for each node of the tree, its row
    /// @param layer   number of layers that the first rows already ran through; 0 if there are no such rows
    /// @param begun   states of those rows
    record StagedTree(
            NetworkSession session,
            KvCache cache,
            TokenTree tree,
            TokenTree rows,
            int[] row,
            int layer,
            List<PassRow> begun) {
        /// Returns a tree without rows of an earlier pass.
        static StagedTree fresh(NetworkSession session, KvCache cache, TokenTree tree) {
            return new StagedTree(
                    session,
                    cache,
                    tree,
                    tree,
                    IntStream.range(0, tree.size()).toArray(),
                    0,
                    List.of());
        }

        Set<HiddenState> states() {
            return session.hiddenStates();
        }

        /// Returns the rows without an earlier pass, for a pass that appends them to the cache.
        Optional<RowBlock> unrun() {
            return begun.size() == rows.size()
                    ? Optional.empty()
                    : Optional.of(RowBlock.ofTree(cache, rows, begun.size()));
        }

        /// Returns all rows, which must be in the cache.
        RowBlock all() {
            return RowBlock.scratchRows(cache, rows);
        }
    }
}
