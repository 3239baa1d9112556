package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// The drafter suite with a correct drafter, and with one that has a planted fault.
final class FaultySuites {
    static final TableTarget TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));
    static final TableDrafter HONEST =
            new TableDrafter(
                    TableModel.random(7, DistributionStyle.DENSE, 6),
                    new TreePlan.Chain(3),
                    Toy.PLAIN);

    private FaultySuites() {}

    static void caught(Drafter faulty, Consumer<DrafterConformance> check, String message) {
        assertThatCode(() -> check.accept(suite(HONEST))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check.accept(suite(faulty))).hasMessageContaining(message);
    }

    static DrafterConformance suite(Drafter drafter) {
        return new DrafterConformance() {
            @Override
            protected TargetModel target() {
                return TARGET;
            }

            @Override
            protected int distributionSamples() {
                return 1000;
            }

            @Override
            protected Drafter drafter() {
                return drafter;
            }
        };
    }

    static Drafter changed(UnaryOperator<DraftSession> around) {
        return new WrappedDrafter(HONEST, around);
    }

    static Draft firstOf(Draft draft) {
        var tree = draft.tree();
        return tree.draftedNodes() < 2
                ? draft
                : new Draft(TokenTree.chain(tree.token(0), tree.token(1)), draft.selection());
    }
}
