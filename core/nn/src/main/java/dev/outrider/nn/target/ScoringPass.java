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

/// Scores the trees of several sessions in one pass. Rows that went through the first layers already join the others above those
/// layers; trees that began at different layers are scored in a pass each.
///
/// @param network     what runs
/// @param description of the target
record ScoringPass(DecoderNetwork network, TargetDescription description) {
    /// The properties that all trees of one pass share: their first layer, and the states that are reported.
    private record Company(int layer, Set<HiddenState> states) {
        static final Company FROM_THE_FIRST_LAYER = new Company(0, Set.of());
    }

    /// @param trees each of another session
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

    /// Indices of the trees by their company. A tree of which nothing was run goes with any that reports the same.
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

    /// The rows that were not run, up to the layer; then all rows from there.
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

    /// A session's tree on its way into a pass.
    ///
    /// @param session whose it is
    /// @param cache   the session's; its scratch rows are the first rows of the tree, as many as there are states
    /// @param tree    what is scored
    /// @param rows    what the pass computes
    /// @param row     of each node of the tree, which row it is
    /// @param layer   layers that the first rows went through already; 0 if there are none such
    /// @param begun   states of those rows
    record StagedTree(
            NetworkSession session,
            KvCache cache,
            TokenTree tree,
            TokenTree rows,
            int[] row,
            int layer,
            List<PassRow> begun) {
        /// A tree of which nothing was run.
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

        /// Rows that were not run, for a pass that appends them to the cache.
        Optional<RowBlock> unrun() {
            return begun.size() == rows.size()
                    ? Optional.empty()
                    : Optional.of(RowBlock.ofTree(cache, rows, begun.size()));
        }

        /// All rows, once they are in the cache.
        RowBlock all() {
            return RowBlock.scratchRows(cache, rows);
        }
    }
}
