package dev.outrider.drafter.self;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import java.util.Optional;

/// Drafts with some of the target's layers. Thread-safe.
///
/// @param name           of the drafter, for errors
/// @param drafting       shape, sampling and stop of the drafts
/// @param vocabularySize number of the target's logits
/// @param layers         layers of the drafts
record SelfDrafter(String name, Drafting drafting, int vocabularySize, LayerSubset layers)
        implements Drafter {
    @Override
    public DrafterTraits traits() {
        return drafting.traits(false);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var passes =
                request.target()
                        .capability(PartialPasses.class)
                        .orElseThrow(() ->
                                ErrorCode.CAPABILITY_MISSING.error(
                                        "drafter '%s' guesses within the target's own sequence, but the texts of this request are drafted for apart from it"
                                                .formatted(name),
                                        "Search for beams with another drafter, or without one."));
        var vocabulary = DraftVocabulary.shared(vocabularySize, vocabularySize);
        return new SelfSession(
                passes, layers, drafting.plan(), drafting.expander(request, vocabulary));
    }

    @Override
    public void close() {}

    /// One sequence that drafts in the target's own cache: committed rows are the target's, and
    /// those of a draft are dropped after the round. So nothing is rolled back.
    private static final class SelfSession extends TokensOnlySession {
        private final PartialPasses passes;
        private final LayerSubset layers;
        private final TreePlan plan;
        private final TreeExpander expander;

        /// @param passes   of the target's session
        /// @param layers   layers of the drafts
        /// @param plan     shape of the drafts
        /// @param expander grows the drafts
        SelfSession(
                PartialPasses passes, LayerSubset layers, TreePlan plan, TreeExpander expander) {
            this.passes = passes;
            this.layers = layers;
            this.plan = plan;
            this.expander = expander;
        }

        @Override
        protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
            var within = withinRoom(budget);
            if (within.maxDepth() == 0) {
                return Draft.empty(tokens.root());
            }
            passes.begin(layers);
            try (var stepper = new PartialStepper(passes, tokens.root())) {
                return expander.expand(stepper, tokens.history(), within, randomness).draft();
            }
        }

        /// The target's rows belong to one text.
        @Override
        public boolean restart(int[] text) {
            return false;
        }

        /// Returns the part of a budget for which the target's cache has rows. Only a dynamic tree
        /// runs nodes that are not in the draft.
        private DraftBudget withinRoom(DraftBudget budget) {
            int rows = passes.room() - 1;
            int nodes = Math.min(budget.maxNodes(), Math.max(0, rows));
            int depth = Math.min(budget.maxDepth(), nodes);
            if (plan instanceof TreePlan.Dynamic dynamic && nodes > 0) {
                depth = Math.min(depth, 1 + rows / Math.min(dynamic.topK(), nodes));
            }
            return new DraftBudget(nodes, depth);
        }

        /// One round's draft steps with some of the target's layers: the root, then the tree level by level.
        ///
        /// Confined to one thread. Close it at the end of the round.
        private static final class PartialStepper implements DraftStepper, AutoCloseable {
            private final PartialPasses passes;
            private final TokenTree.Builder tree;
            private Optional<TargetScores> scores = Optional.empty();

            /// @param passes with a tree that was begun
            /// @param root   the last committed token
            PartialStepper(PartialPasses passes, int root) {
                this.passes = passes;
                this.tree = TokenTree.builder(root);
            }

            @Override
            public LogitRows root() {
                return run();
            }

            /// The node of row r is node r + 1 of the tree.
            @Override
            public LogitRows step(List<StepInput> nodes) {
                nodes.forEach(node -> tree.add(node.parentRow() + 1, node.token()));
                return run();
            }

            private LogitRows run() {
                close();
                var grown = passes.grow(tree.build());
                scores = Optional.of(grown);
                return grown::logits;
            }

            @Override
            public void close() {
                scores.ifPresent(TargetScores::close);
                scores = Optional.empty();
            }
        }
    }
}
