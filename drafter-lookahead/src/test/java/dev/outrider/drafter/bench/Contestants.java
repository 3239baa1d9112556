package dev.outrider.drafter.bench;

import dev.outrider.drafter.lookahead.JacobiConfig;
import dev.outrider.drafter.lookahead.JacobiDrafterFactory;
import dev.outrider.drafter.lookahead.LookaheadConfig;
import dev.outrider.drafter.lookahead.LookaheadDrafterFactory;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterContext;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;

/// The drafters of [ProposalCost] by name.
final class Contestants {
    private static final DrafterContext CONTEXT =
            () -> TableTarget.of(TableModel.constant(new double[RowScores.VOCABULARY]));

    private Contestants() {}

    static Drafter load(String name) {
        return switch (name) {
            case "lookahead-4-4-4" -> lookahead(4, 4, 4);
            case "lookahead-7-5-7" -> lookahead(7, 5, 7);
            case "lookahead-15-5-15" -> lookahead(15, 5, 15);
            case "jacobi-8" ->
                    new JacobiDrafterFactory().create(new JacobiConfig(8, false, 1), CONTEXT);
            default -> throw new IllegalArgumentException("no drafter '%s'".formatted(name));
        };
    }

    private static Drafter lookahead(int window, int level, int guesses) {
        return new LookaheadDrafterFactory()
                .create(new LookaheadConfig(window, level, guesses, true, 1), CONTEXT);
    }
}
