package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.RuleTraits;
import dev.outrider.spi.SelectionKind;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.TreePlan;
import dev.outrider.spi.TreeShape;
import dev.outrider.spi.Verdict;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A suite that accepts everything proves nothing: each is run over an implementation with a planted fault.
class SuitesCatchFaultsTest {
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(7, LawStyle.DENSE, 5));
    private static final TableDrafter HONEST =
            new TableDrafter(
                    TableModel.random(7, LawStyle.DENSE, 6), new TreePlan.Chain(3), Toy.PLAIN);

    @Test
    void aTargetWhoseCacheLosesARowFailsTheTargetSuite() {
        var honest = suite(TARGET);
        var faulty = suite(new ForgetfulTarget(TARGET));

        assertThatCode(honest::logitsAfterCommitEqualThoseOfAFreshPrefill)
                .doesNotThrowAnyException();
        assertThatThrownBy(faulty::logitsAfterCommitEqualThoseOfAFreshPrefill)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aDrafterWithStaleGuessesFailsTheDrafterSuite() {
        var stale = suite(Toy.spoilt(HONEST, (draft, before) -> withGuessesOf(draft, before)));

        assertThatCode(suite(HONEST)::afterAnyVerdictTheSessionProposesWhatAFreshOneWould)
                .doesNotThrowAnyException();
        assertThatThrownBy(stale::afterAnyVerdictTheSessionProposesWhatAFreshOneWould)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aDrafterThatIgnoresItsBudgetFailsTheDrafterSuite() {
        assertThatCode(suite(HONEST)::budgetsOfNothingAndOfOneAreKept).doesNotThrowAnyException();
        assertThatThrownBy(
                        suite(Toy.spoilt(HONEST, (draft, before) -> tooLong(draft)))
                                ::budgetsOfNothingAndOfOneAreKept)
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("expected at most 0");
    }

    @Test
    void aRuleThatClaimsTooMuchFailsTheRuleSuite() {
        var boastful = new Boastful();
        var suite =
                new AcceptanceRuleConformance() {
                    @Override
                    protected AcceptanceRule rule() {
                        return boastful;
                    }
                };
        assertThatThrownBy(suite::everyDeclaredPairingIsExactForOneRound)
                .isInstanceOf(AssertionError.class);
    }

    private static TargetConformance suite(TargetModel target) {
        return new TargetConformance() {
            @Override
            protected TargetModel target() {
                return target;
            }
        };
    }

    private static DrafterConformance suite(Drafter drafter) {
        return new DrafterConformance() {
            @Override
            protected TargetModel target() {
                return TARGET;
            }

            @Override
            protected Drafter drafter() {
                return drafter;
            }
        };
    }

    /// The tokens of an old draft under the root and the laws of a new one.
    private static Draft withGuessesOf(Draft draft, Draft before) {
        int[] old = before.tree().tokens();
        int length = Math.min(before.tree().draftedNodes(), draft.tree().draftedNodes());
        var guesses = Arrays.copyOfRange(old, 1, 1 + length);
        return new Draft(TokenTree.chain(draft.tree().token(0), guesses), draft.selection());
    }

    private static Draft tooLong(Draft draft) {
        int[] guesses = new int[draft.tree().draftedNodes() + 1];
        return new Draft(TokenTree.chain(draft.tree().token(0), guesses), draft.selection());
    }

    /// Says that it is exact, but emits the target's mode after a rejection instead of a draw from the residual.
    private static final class Boastful implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return new RuleTraits(
                    "boastful",
                    true,
                    false,
                    Set.of(SelectionKind.INDEPENDENT),
                    TreeShape.CHAIN,
                    "nowhere");
        }

        @Override
        public Verdict decide(Draft draft, TargetLaws target, Coins coins) {
            var verdict = new TokenRejectionRule().decide(draft, target, coins);
            return verdict.origin() == Verdict.Origin.BONUS
                    ? verdict
                    : new Verdict(
                            verdict.acceptedNodes(),
                            target.mode(verdict.lastNode()),
                            verdict.origin());
        }
    }
}
