package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.audit.Audit.Verdict;
import dev.outrider.audit.RoundFault.Rounds;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
    private static final int TOKENS = 24;

    @Test
    void plainDecodingIsSeldomCalledDifferent() {
        double alpha = .05;
        int streams = 60;
        int alarms = 0;
        for (int stream = 0; stream < streams; stream++) {
            var audit = Toy.audit(Toy.CORRECT, Toy.settings(4, alpha, stream));
            var random = new SplittableRandom(1000 + stream);
            for (int request = 0; request < 4; request++) {
                audit.take(plain(random, TOKENS));
            }
            alarms += audit.outcome(true).verdict() == Verdict.DIFFERENT ? 1 : 0;
        }

        double error = Math.sqrt(alpha * (1 - alpha) / streams);
        assertThat(alarms / (double) streams).isLessThan(alpha + 3 * error);
    }

    static List<Hypotheses.Entry> faults() {
        var faults = new ArrayList<Hypotheses.Entry>();
        for (var change : Toy.CORRECT.changes()) {
            faults.add(
                    new Hypotheses.Entry(
                            new Alternative.Made(change.name(), change.apply(Toy.CORRECT)), true));
        }
        for (var fault : RoundFault.all(List.of())) {
            faults.add(
                    new Hypotheses.Entry(
                            new Rounds(
                                    fault.name(),
                                    fault.apply(RoundFault.CORRECT),
                                    Toy.CORRECT,
                                    Toy.DRAFTS,
                                    Toy.LENGTH,
                                    Toy.VOCABULARY),
                            true));
        }
        return faults;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultIsFoundWithinTheRequestsThatThePlanExpectsAndNamed(Hypotheses.Entry fault) {
        var name = fault.hypothesis().name();
        var audit = Toy.audit(Toy.CORRECT, Toy.settings(200, 1e-6, 5));
        var planned =
                audit.plan().faults().stream()
                        .filter(each -> List.of(each.name().split(" = ")).contains(name))
                        .findFirst();
        if (planned.isEmpty() || planned.get().tokens() > 1000) {
            return;
        }
        var random = new SplittableRandom(6);
        var oracle = Toy.oracle();
        for (long taken = 0; taken < 5 * planned.get().requests() && !audit.settled(); taken++) {
            audit.take(Toy.answer(Toy.text(oracle, fault.hypothesis(), TOKENS, random)));
        }

        var outcome = audit.outcome(true);

        assertThat(outcome.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(outcome.explanations().stream().limit(2))
                .anyMatch(each -> each.name().contains(name));
        assertThat(outcome.open()).anyMatch(each -> each.contains(name));
    }

    @Test
    void aFaultThatIsInNoTableIsFoundWithoutAName() {
        var audit = Toy.audit(Toy.CORRECT, Toy.settings(100, 1e-6, 5));
        var random = new SplittableRandom(7);
        while (!audit.settled()) {
            int[] text =
                    Toy.text(Toy.oracle(), new Alternative.Made("", Toy.CORRECT), TOKENS, random);
            for (int at = 0; at < text.length; at++) {
                text[at] = text[at] == 3 && random.nextInt(2) == 0 ? 4 : text[at];
            }
            audit.take(Toy.answer(text));
        }

        var outcome = audit.outcome(true);

        assertThat(outcome.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(outcome.explanations().getFirst().named()).isFalse();
    }

    @Test
    void answersThatRepeatAreFoundAndSaidInANote() {
        var audit = Toy.audit(Toy.CORRECT, Toy.settings(100, 1e-6, 5));
        var same = plain(new SplittableRandom(8), TOKENS);
        for (int times = 0; times < 3; times++) {
            audit.take(same);
        }

        var outcome = audit.outcome(true);

        assertThat(outcome.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(outcome.explanations().getFirst().name()).contains("repeat");
        assertThat(outcome.findings()).singleElement().asString().contains("seed");
    }

    @Test
    void guessedIdsNeverRefuteASampledText() {
        var audit = Toy.audit(Toy.CORRECT, Toy.settings(100, 1e-6, 5));
        var same = plain(new SplittableRandom(8), TOKENS);
        var guessed = new Answer("", "prompt", same.read(), same.ids(), true, "", "", 0, 0);
        for (int times = 0; times < 3; times++) {
            audit.take(guessed);
        }

        assertThat(audit.outcome(true).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    }

    @ParameterizedTest
    @ValueSource(doubles = {.001, 100})
    void aGreedyTokenMayBeATieAndNothingElse(double gap) {
        var greedy = new Setting(SamplingPolicy.argmax(), Optional.empty());
        var settings = new Audit.Settings(1, 1e-6, gap, 1, false, true, 0);
        var audit = Toy.audit(greedy, settings);
        int[] text =
                Toy.text(
                        Toy.oracle(), new Alternative.Made("", greedy), 5, new SplittableRandom(1));

        audit.take(Toy.answer(text));
        assertThat(audit.outcome(true).verdict()).isEqualTo(Verdict.CONSISTENT);
        assertThat(audit.outcome(true).greedy().orElseThrow().gap()).isZero();

        text[2] = (text[2] + 1) % Toy.VOCABULARY;
        audit.take(Toy.answer(text));
        var outcome = audit.outcome(true);
        assertThat(outcome.greedy().orElseThrow().gap()).isPositive();
        assertThat(outcome.verdict()).isEqualTo(gap < 1 ? Verdict.DIFFERENT : Verdict.CONSISTENT);
        if (gap < 1) {
            assertThat(outcome.notes()).anyMatch(each -> each.position() == 2);
        }
    }

    @Test
    void aTokenThatPlainDecodingNeverWritesIsDecisive() {
        var banned =
                new Setting(
                        SamplingPolicy.atTemperature(1),
                        Optional.of(Toy.operators("banned", List.of(3))));
        var audit = Toy.audit(banned, Toy.settings(10, 1e-6, 0));

        audit.take(Toy.answer(3, 3, 3));

        var outcome = audit.outcome(true);
        assertThat(outcome.impossible()).isEqualTo(3);
        assertThat(outcome.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(outcome.explanations().getFirst().name()).contains("banned");
    }

    private static Answer plain(SplittableRandom random, int tokens) {
        return Toy.answer(
                Toy.text(Toy.oracle(), new Alternative.Made("", Toy.CORRECT), tokens, random));
    }
}
