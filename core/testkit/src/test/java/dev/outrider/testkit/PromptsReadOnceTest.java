package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.SharedPrompts;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A target that keeps prompts, seen through [SharedPrompts].
class PromptsReadOnceTest {
    private static final HiddenState STATE = new HiddenState.AfterLayer(1);
    private static final TableTarget TABLE = TableTarget.of(Toy.counting(8));

    private final List<String> log = new ArrayList<>();

    @Test
    void aPromptIsReadWithoutItsLastTokenAndWithTheStatesOfTheDrafters() {
        try (var shared = SharedPrompts.of(new Keeping(log), List.of(plain(), reading()))) {
            assertThat(shared.read(new int[] {3, 1, 4})).isEqualTo(Reading.READ);
            assertThat(shared.read(new int[] {3, 1})).isEqualTo(Reading.READ);
            assertThat(shared.read(new int[] {3})).isEqualTo(Reading.REFUSED);
        }
        assertThat(log)
                .containsExactly("keeps " + Set.of(STATE), "reads [3, 1]", "reads [3]", "closed");
    }

    @Test
    void nothingIsSharedByATargetThatCannotOrThatIsNotAsked() {
        assertThat(SharedPrompts.possible(new Keeping(log))).isTrue();
        assertThat(SharedPrompts.possible(TABLE)).isFalse();
        for (var none : List.of(SharedPrompts.none(), SharedPrompts.of(TABLE, List.of(plain())))) {
            try (none) {
                assertThat(none.read(new int[] {3, 1, 4})).isEqualTo(Reading.REFUSED);
            }
        }
    }

    private static Decoder plain() {
        return Decoder.plain(TABLE, new TokenRejectionRule(), () -> 0);
    }

    private static Decoder reading() {
        var drafter =
                new WrappedDrafter(
                        new TableDrafter(TABLE.model(), new TreePlan.Chain(1), Toy.PLAIN),
                        session -> session) {
                    @Override
                    public Set<HiddenState> hiddenStates() {
                        return Set.of(STATE);
                    }
                };
        return Toy.decoder(TABLE, drafter, new TokenRejectionRule());
    }

    private record Keeping(List<String> log) implements ForwardingTarget {
        @Override
        public TargetModel target() {
            return TABLE;
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            PrefixSharing sharing =
                    (_, states) -> {
                        log.add("keeps " + states);
                        return new Kept(log);
                    };
            return type == PrefixSharing.class ? Optional.of(type.cast(sharing)) : Optional.empty();
        }
    }

    private record Kept(List<String> log) implements KeptPrompts {
        @Override
        public Reading read(int[] tokens) {
            log.add("reads " + Arrays.toString(tokens));
            return Reading.READ;
        }

        @Override
        public int read(int[] tokens, int most) {
            throw new UnsupportedOperationException("prompts are read whole");
        }

        @Override
        public void abandon(int[] tokens) {
            throw new UnsupportedOperationException("prompts are read whole");
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void close() {
            log.add("closed");
        }
    }
}
