package dev.outrider.engine.check;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.function.IntFunction;

/// A drafter whose every draft is checked: budget, root, tokens, declared shape and selection, and that the
/// recorded distributions are distributions which give every drawn token a positive probability. What it reads of the target is
/// checked against what it declares. Costs a pass over each distribution.
///
/// @param drafter what is checked
/// @param target  the model it drafts for
public record CheckedDrafter(Drafter drafter, TargetModel target) implements ForwardingDrafter {
    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(
                drafter,
                drafter.open(request),
                round ->
                        new DraftContract(
                                traits(),
                                target.description().vocabularySize(),
                                request.policy().greedy(),
                                "drafter '%s' in round %d"
                                        .formatted(Contract.nameOf(drafter), round)));
    }

    private static final class Session implements ForwardingDraftSession {
        private final Drafter drafter;
        private final DraftSession session;
        private final IntFunction<DraftContract> contract;
        private int root;
        private int round;

        Session(Drafter drafter, DraftSession session, IntFunction<DraftContract> contract) {
            this.drafter = drafter;
            this.session = session;
            this.contract = contract;
        }

        @Override
        public DraftSession session() {
            return session;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            root = prompt[prompt.length - 1];
            var name = "drafter '%s' at the prompt".formatted(Contract.nameOf(drafter));
            try (var states = new DeclaredStates(promptStates, drafter.hiddenStates(), name)) {
                session.begin(prompt, states);
            }
        }

        @Override
        public boolean restart(int[] text) {
            root = text[text.length - 1];
            return session.restart(text);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = session.propose(budget, randomness);
            contract.apply(round).check(draft, budget, root);
            return draft;
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            root = verdict.nextToken();
            var name = "drafter '%s' in round %d".formatted(Contract.nameOf(drafter), round++);
            boolean readsRejected = drafter.traits().readsRejectedNodes();
            try (var declared =
                    new DeclaredScores(
                            scores, verdict, drafter.hiddenStates(), readsRejected, name)) {
                session.observe(draft, verdict, declared);
            }
        }
    }
}
