package dev.outrider.engine.check;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import java.util.Set;

/// A drafter whose every draft is checked: budget, root, tokens, declared shape and selection, and that the
/// recorded laws are laws which give every drawn token a positive probability. Costs a pass over each law.
///
/// @param drafter what is checked
/// @param target  the model it drafts for
public record CheckedDrafter(Drafter drafter, TargetModel target) implements Drafter {
    @Override
    public DrafterTraits traits() {
        return drafter.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return drafter.hiddenStates();
    }

    @Override
    public long parameters() {
        return drafter.parameters();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        var contract =
                new DraftContract(
                        traits(), target.description().vocabularySize(), request.policy().greedy());
        return new Session(drafter.open(request), contract);
    }

    @Override
    public void close() {
        drafter.close();
    }

    private static final class Session implements DraftSession {
        private final DraftSession session;
        private final DraftContract contract;
        private int root;

        Session(DraftSession session, DraftContract contract) {
            this.session = session;
            this.contract = contract;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            root = prompt[prompt.length - 1];
            session.begin(prompt, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            var draft = session.propose(budget, coins);
            contract.check(draft, budget, root);
            return draft;
        }

        @Override
        public void observe(Verdict verdict, TargetScores scores) {
            root = verdict.nextToken();
            session.observe(verdict, scores);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
