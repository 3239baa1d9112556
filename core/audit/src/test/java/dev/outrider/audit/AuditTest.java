package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.audit.Audit.Verdict;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuditTest {
    private static final int TOKENS = 24;
    private static final int STREAMS = Boolean.getBoolean("outrider.nightly") ? 60 : 30;

    @Test
    void plainDecodingIsSeldomCalledDifferent() {
        double alpha = .05;
        int alarms = 0;
        for (int stream = 0; stream < STREAMS; stream++) {
            var audit = Toy.audit(Toy.CORRECT, Toy.settings(4, alpha, stream));
            var random = new SplittableRandom(1000 + stream);
            for (int request = 0; request < 4; request++) {
                audit.take(plain(random, TOKENS));
            }
            alarms += audit.outcome(true).verdict() == Verdict.DIFFERENT ? 1 : 0;
        }

        double error = Math.sqrt(alpha * (1 - alpha) / STREAMS);
        assertThat(alarms / (double) STREAMS).isLessThan(alpha + 3 * error);
    }

    static List<Hypotheses.Entry> faults() {
        var faults = new ArrayList<Hypotheses.Entry>();
        var drafts =
                new Hypotheses.Drafts(
                        "",
                        RoundFault.correct(Toy.CORRECT, Toy.DRAFTS),
                        Toy.LENGTH,
                        0,
                        Toy.VOCABULARY);
        for (var change : Toy.CORRECT.changes()) {
            faults.add(drafts.of(RoundFault.everywhere(change)));
        }
        for (var change : Toy.CORRECT.values()) {
            faults.add(drafts.of(RoundFault.everywhere(change)));
        }
        for (var fault : RoundFault.all(List.of())) {
            faults.add(drafts.of(fault));
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
        // Small values of min-p hardly differ where there are six tokens.
        assertThat(outcome.explanations().stream().limit(name.startsWith("minP 0") ? 4 : 2))
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
        var guessed = new Answer("", "prompt", same.read(), same.ids(), true, "", "");
        for (int times = 0; times < 3; times++) {
            audit.take(guessed);
        }

        assertThat(audit.outcome(true).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    }

    @ParameterizedTest
    @ValueSource(doubles = {.001, 100})
    void aGreedyTokenMayBeATieAndNothingElse(double gap) {
        var settings = new Audit.Settings(1, 1e-6, gap, 1, false, true, 1, 0);
        var audit = Toy.audit(GREEDY, settings);
        int[] text =
                Toy.text(
                        Toy.oracle(), new Alternative.Made("", GREEDY), 5, new SplittableRandom(1));

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

    private static final Setting GREEDY = new Setting(SamplingPolicy.argmax(), Optional.empty());

    private static Audit ending(Setting correct, int most) {
        var model = TableModel.of(4, _ -> new double[] {.1, .2, .3, .4});
        return new Audit(
                new TableTarget(model, 100, Set.of(2, 3)),
                correct,
                ProcessorChain.none(),
                List.of(),
                Optional.empty(),
                List.of(),
                new Audit.Settings(9, .1, .01, 1, false, true, most, 0),
                () -> false);
    }

    private static Answer ended(boolean guessed, String text, String finish, Integer... ids) {
        return new Answer("", "prompt", List.of(1), List.of(ids), guessed, text, finish);
    }

    @Test
    void anyEndTokenIsTheBestOneIfOneIs() {
        var audit = ending(GREEDY, 9);

        audit.take(ended(false, "", "stop", 2));

        assertThat(audit.outcome(true).greedy().orElseThrow().gap()).isZero();
    }

    @Test
    void guessedIdsAtTemperatureZeroProveNothing() {
        var guessed = ending(GREEDY, 9);
        guessed.take(ended(true, "b", "length", 1));
        assertThat(guessed.outcome(true).verdict()).isEqualTo(Verdict.CANNOT_TELL);
        assertThat(guessed.settled()).isTrue();

        guessed.take(ended(false, "b", "length", 1));
        assertThat(guessed.outcome(true).verdict()).isEqualTo(Verdict.DIFFERENT);
    }

    @Test
    void anAnswerIsJudgedUpToItsFirstExcusedPlace() {
        var audit = ending(GREEDY, 9);

        audit.take(ended(true, "dbb", "length", 1, 1));

        var outcome = audit.outcome(true);
        assertThat(outcome.tokens()).isZero();
        assertThat(outcome.greedy().orElseThrow().wrong()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "tool_calls, 9, CANNOT_TELL",
        "'', 9, CANNOT_TELL",
        "'', 1, CONSISTENT",
        "length, 9, CONSISTENT",
        "stop_reason, 9, CONSISTENT",
        "eos, 9, CONSISTENT"
    })
    void anEndThatIsUnclearLeavesASampledAuditOpen(String finish, int most, Verdict verdict) {
        var audit = ending(new Setting(SamplingPolicy.atTemperature(1), Optional.empty()), most);

        audit.take(ended(false, "", finish, 1));

        assertThat(audit.outcome(true).verdict()).isEqualTo(verdict);
        assertThat(audit.settled()).isEqualTo(verdict == Verdict.CANNOT_TELL);
        assertThat(audit.outcome(true).tokens()).isEqualTo(finish.equals("eos") ? 2 : 1);
    }

    @Test
    void aTokenAtTheEdgeLeavesMirostatsStateAsItWas() {
        var mirostat = new SamplingOperators.Mirostat(2, 1);
        var setting =
                new Setting(
                        SamplingPolicy.atTemperature(1),
                        Optional.of(Toy.operators("mirostat", Optional.of(mirostat))));
        var model = TableModel.of(4, _ -> new double[] {.01, .09, .3, .6});
        var oracle = new Oracle(List.of(TableTarget.of(model)), ProcessorChain.none());
        var seen = new ArrayList<Integer>();

        oracle.read(
                new int[] {1},
                List.of(),
                new int[] {0, 2},
                place -> {
                    double[] p = place.distribution(setting);
                    seen.add((int) Arrays.stream(p).filter(each -> each > 0).count());
                    if (place.index() == 0) {
                        assertThat(p[0]).isZero();
                    }
                });

        assertThat(seen.get(1)).isEqualTo(seen.get(0));
        assertThat(seen.get(0)).isGreaterThan(1);
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
        assertThat(outcome.evidence().impossible()).isEqualTo(3);
        assertThat(outcome.verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(outcome.explanations().getFirst().name()).contains("banned");
    }

    private static Answer plain(SplittableRandom random, int tokens) {
        return Toy.answer(
                Toy.text(Toy.oracle(), new Alternative.Made("", Toy.CORRECT), tokens, random));
    }
}
