package dev.outrider.testkit;

import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;
import java.util.Optional;
import java.util.function.BiFunction;

/// Shorthand of the tests here.
final class Toy {
    static final int[] PROMPT = {0, 1};
    static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);

    private Toy() {}

    static Decoder decoder(TargetModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                target, Optional.of(drafter), rule, FixedLength.drafterLimit(), false, () -> 0);
    }

    /// A drafter that spoils what another one does. The function sees the honest draft and the draft of the
    /// round before it.
    static Drafter spoilt(Drafter honest, BiFunction<Draft, Draft, Draft> spoil) {
        return new Spoilt(honest, spoil);
    }

    private record Spoilt(Drafter honest, BiFunction<Draft, Draft, Draft> spoil)
            implements Drafter {
        @Override
        public DrafterTraits traits() {
            return honest.traits();
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new SpoiltSession(honest.open(request), spoil);
        }

        @Override
        public void close() {}
    }

    private static final class SpoiltSession implements DraftSession {
        private final DraftSession honest;
        private final BiFunction<Draft, Draft, Draft> spoil;
        private Optional<Draft> before = Optional.empty();

        SpoiltSession(DraftSession honest, BiFunction<Draft, Draft, Draft> spoil) {
            this.honest = honest;
            this.spoil = spoil;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            honest.begin(prompt, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            var draft = honest.propose(budget, coins);
            var spoiled = spoil.apply(draft, before.orElse(draft));
            before = Optional.of(draft);
            return spoiled;
        }

        @Override
        public void observe(Verdict verdict, TargetScores scores) {
            honest.observe(verdict, scores);
        }

        @Override
        public void close() {}
    }
}
