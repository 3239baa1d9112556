package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs each suite on an implementation with a planted fault, which it must find.
class SuitesCatchFaultsTest {
    private static final TableTarget TARGET =
            TableTarget.of(TableModel.random(7, DistributionStyle.DENSE, 5));

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
    void aTargetThatServesOneThreadOnlyFailsTheTargetSuite() {
        var honest = suite(TARGET);
        var faulty = suite(new OneThreadsTarget(TARGET, Thread.currentThread()));

        assertThatCode(honest::sessionsOnSeveralThreadsScoreWhatTheyScoreAlone)
                .doesNotThrowAnyException();
        assertThatThrownBy(faulty::sessionsOnSeveralThreadsScoreWhatTheyScoreAlone)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("opened on another thread");
    }

    @Test
    void aRuleThatKeepsItsDraftInAFieldFailsTheRuleSuite() {
        var suite = suite(new Absent());

        assertThatCode(suite::everyDeclaredPairingIsExactForOneRound).doesNotThrowAnyException();
        assertThatThrownBy(suite::decisionsMadeInTurnsEqualThoseMadeAlone)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in turns with others under schedule 0");
    }

    @Test
    void aRuleThatClaimsTooMuchFailsTheRuleSuite() {
        var suite = suite(new Boastful());

        assertThatThrownBy(suite::everyDeclaredPairingIsExactForOneRound)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("rule 'boastful' on drafts of Chain[length=2]: ");
    }

    /// A rule for chains that is wrong for only one of its declared selections.
    @ParameterizedTest
    @EnumSource
    void aRuleThatKeepsGuessesOfOneSelectionFailsTheRuleSuite(Selection.Kind selection) {
        var suite = suite(new FaultyRules.KeepsThePossible(selection));
        var drafts =
                switch (selection) {
                    case POINT_MASS -> "Chain[length=2] by argmax";
                    case INDEPENDENT -> "Chain[length=2]";
                    case WITHOUT_REPLACEMENT -> "SampledWithoutReplacement[widths=[1, 1]]";
                };
        var message = "rule 'token' on drafts of %s: ".formatted(drafts);

        assertThatThrownBy(suite::everyDeclaredPairingIsExactForOneRound)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(message)
                .hasMessageContaining("largest error of any probability");
        assertThatThrownBy(suite::everyDeclaredPairingIsExactForTwoRounds)
                .hasMessageContaining(message);
        assertThatThrownBy(suite::everyDeclaredPairingIsExactForFourTokensAndForDeeperTrees)
                .hasMessageContaining(message);
    }

    @Test
    void aRuleThatDrawsWithTheSupportOfAnotherDistributionFailsTheRuleSuite() {
        var honest = suite(new FaultyRules.RootSupport(false));
        var faulty = suite(new FaultyRules.RootSupport(true));

        assertThatCode(honest::everyDeclaredPairingIsExactForOneRound).doesNotThrowAnyException();
        assertThatThrownBy(faulty::everyDeclaredPairingIsExactForOneRound)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected 0: its support does not hold the token");
    }

    private static AcceptanceRuleConformance suite(AcceptanceRule rule) {
        return new AcceptanceRuleConformance() {
            @Override
            protected AcceptanceRule rule() {
                return rule;
            }
        };
    }

    private static TargetConformance suite(TargetModel target) {
        return new TargetConformance() {
            @Override
            protected TargetModel target() {
                return target;
            }
        };
    }

    /// A target that only its maker's thread may use.
    private record OneThreadsTarget(TargetModel target, Thread maker) implements ForwardingTarget {
        @Override
        public TargetSession open(SessionRequest request) {
            if (!Thread.currentThread().equals(maker)) {
                throw new IllegalStateException("opened on another thread");
            }
            return target.open(request);
        }
    }

    /// The token rule, with a fault: it uses the draft of the last caller.
    private static final class Absent implements AcceptanceRule {
        private final AtomicReference<Optional<Draft>> last =
                new AtomicReference<>(Optional.empty());

        @Override
        public RuleTraits traits() {
            return new TokenRejectionRule().traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            last.set(Optional.of(draft));
            var verdict = new TokenRejectionRule().decide(draft, target, randomness);
            return last.get().filter(draft::equals).isPresent()
                    ? verdict
                    : new Verdict(List.of(), target.mode(0), Verdict.Origin.CORRECTION);
        }
    }

    /// Claims to be exact, but emits the target's mode after a rejection instead of a draw from the
    /// residual.
    private static final class Boastful implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return RuleTraits.exact(
                    "boastful", Set.of(Selection.Kind.INDEPENDENT), TreeShape.CHAIN, "nowhere");
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var verdict = new TokenRejectionRule().decide(draft, target, randomness);
            return verdict.origin() == Verdict.Origin.BONUS
                    ? verdict
                    : new Verdict(
                            verdict.acceptedNodes(),
                            target.mode(verdict.lastNode()),
                            verdict.origin());
        }
    }
}
