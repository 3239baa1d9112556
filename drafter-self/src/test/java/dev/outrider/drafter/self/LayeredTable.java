package dev.outrider.drafter.self;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.ForwardingTargetSession;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// A table with "layers": a subset of them has the distributions of another table, one for each
/// subset.
///
/// @param target the table of all layers
/// @param early  the table of a subset
record LayeredTable(TargetModel target, Function<LayerSubset, TableModel> early)
        implements ForwardingTarget {
    static final int DENSE = 4;

    /// Unrelated random tables.
    static LayeredTable random(TableModel whole, int seed) {
        return new LayeredTable(
                TableTarget.of(whole), layers -> some(whole.vocabulary(), seed, layers));
    }

    /// Returns the random table of some layers; dense from [#DENSE] on.
    static TableModel some(int vocabulary, int seed, LayerSubset layers) {
        var styles = DistributionStyle.values();
        return TableModel.random(
                vocabulary,
                seed < DENSE ? styles[(seed + 1) % styles.length] : DistributionStyle.DENSE,
                900L + seed + 31L * layers.hashCode());
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return new Session(target.open(request));
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public Set<Class<?>> sessionCapabilities() {
        return Set.of(PartialPasses.class);
    }

    private final class Session implements ForwardingTargetSession, PartialPasses {
        private final TargetSession session;
        private final List<Integer> committed = new ArrayList<>();
        private Optional<TokenTree> scored = Optional.empty();
        private Optional<TargetSession> drafting = Optional.empty();
        private int run;

        Session(TargetSession session) {
            this.session = session;
        }

        @Override
        public TargetSession session() {
            return session;
        }

        @Override
        public HiddenStates prefill(int[] tokens) {
            for (int token : tokens) {
                committed.add(token);
            }
            return session.prefill(tokens);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            scored = Optional.of(tree);
            return session.score(tree);
        }

        @Override
        public void commit(Verdict verdict) {
            var tree = scored.orElseThrow();
            for (int node : tree.path(verdict.lastNode())) {
                committed.add(tree.token(node));
            }
            session.commit(verdict);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return type == PartialPasses.class ? Optional.of(type.cast(this)) : Optional.empty();
        }

        @Override
        public int room() {
            return session.capacity() - session.length();
        }

        @Override
        public void begin(LayerSubset layers) {
            var other = TableTarget.of(early.apply(layers));
            var fresh = other.open(SessionRequest.ofCapacity(session.capacity()));
            fresh.prefill(committed.stream().mapToInt(Integer::intValue).toArray()).close();
            drafting = Optional.of(fresh);
            run = 0;
        }

        @Override
        public TargetScores grow(TokenTree tree) {
            int before = run;
            run = tree.size();
            return new Later(drafting.orElseThrow().score(tree), before);
        }
    }

    /// Scores of a tree's later nodes.
    private record Later(TargetScores scores, int first) implements TargetScores {
        @Override
        public int vocabularySize() {
            return scores.vocabularySize();
        }

        @Override
        public MemorySegment logits(int node) {
            return scores.logits(first + node);
        }

        @Override
        public int size() {
            return scores.size() - first;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return scores.hidden(which, first + index);
        }

        @Override
        public void close() {
            scores.close();
        }
    }
}
