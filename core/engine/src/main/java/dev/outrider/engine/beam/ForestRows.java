package dev.outrider.engine.beam;

import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import java.util.stream.IntStream;

/// The scoring of a growing forest by a target. Confined to one thread.
interface ForestRows {
    /// Returns the best way that a session supports.
    static ForestRows of(TargetSession session) {
        return session instanceof ForestSession forest ? new Held(forest) : new Rescored(session);
    }

    /// Scores a forest in one pass.
    ///
    /// @param tree the forest
    /// @param held number of its nodes, from the first, that were kept after the last pass; fewer than it has
    Scored score(TokenTree tree, int held);

    /// Drops the rows of all but some nodes, and commits what lies above the first of them.
    ///
    /// @param tree  what was scored last
    /// @param nodes the new root and nodes below it, ascending
    void keep(TokenTree tree, List<Integer> nodes);

    /// Scores of a pass, whose nodes begin with one of the forest's. The caller closes them.
    ///
    /// @param first node of the forest that is first in the scores
    record Scored(TargetScores scores, int first) implements AutoCloseable {
        @Override
        public void close() {
            scores.close();
        }
    }

    /// Keeps the rows of kept nodes in the cache.
    record Held(ForestSession session) implements ForestRows {
        @Override
        public Scored score(TokenTree tree, int held) {
            return new Scored(session.grow(tree), held);
        }

        @Override
        public void keep(TokenTree tree, List<Integer> nodes) {
            session.hold(nodes);
        }
    }

    /// Keeps only the common prefix of all beams in the cache; every pass scores the rest again.
    record Rescored(TargetSession session) implements ForestRows {
        @Override
        public Scored score(TokenTree tree, int held) {
            return new Scored(session.score(tree), 0);
        }

        @Override
        public void keep(TokenTree tree, List<Integer> nodes) {
            int root = nodes.getFirst();
            if (root > 0) {
                var above =
                        IntStream.of(tree.path(tree.parent(root)))
                                .filter(node -> node > 0)
                                .boxed()
                                .toList();
                session.commit(new Verdict(above, tree.token(root), Verdict.Origin.BONUS));
            }
        }
    }
}
