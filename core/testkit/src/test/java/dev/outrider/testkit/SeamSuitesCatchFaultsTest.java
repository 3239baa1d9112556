package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Planted faults in logits processors, draft-length policies and listeners.
class SeamSuitesCatchFaultsTest {
    private static final int VOCABULARY = 5;
    private static final LogitsProcessor HONEST =
            (logits, history) -> {
                int last =
                        history.path().length > 0
                                ? history.path()[history.path().length - 1]
                                : history.committed()[history.length() - 1];
                logits.setAtIndex(ValueLayout.JAVA_FLOAT, last, Float.NEGATIVE_INFINITY);
            };

    @Test
    void aProcessorThatCounts() {
        var calls = new AtomicInteger();
        caught(
                (logits, _) ->
                        logits.setAtIndex(ValueLayout.JAVA_FLOAT, 0, calls.incrementAndGet() % 7),
                LogitsProcessorConformance::theSameContextGivesTheSameLogits,
                "a second time");
    }

    @Test
    void aProcessorThatOverlooksTheDraft() {
        caught(
                (logits, history) ->
                        logits.setAtIndex(
                                ValueLayout.JAVA_FLOAT,
                                history.committed()[history.length() - 1],
                                Float.NEGATIVE_INFINITY),
                LogitsProcessorConformance::draftTokensCountAsCommittedOnes,
                "as a draft, compared with none");
    }

    @Test
    void aProcessorThatReadsBeyondThePrompt() {
        caught(
                (logits, history) -> {
                    if (history.prompt() > 0) {
                        int next = history.committed()[history.prompt()];
                        logits.setAtIndex(
                                ValueLayout.JAVA_FLOAT,
                                next,
                                history.prompt() < history.length() ? 1 : Float.NaN);
                    }
                },
                LogitsProcessorConformance::everyLogitIsANumberAndSomethingStaysPossible,
                "NaN");
    }

    @Test
    void aProcessorThatLeavesNoToken() {
        caught(
                (logits, _) -> {
                    for (int token = 0; token < VOCABULARY; token++) {
                        logits.setAtIndex(ValueLayout.JAVA_FLOAT, token, Float.NEGATIVE_INFINITY);
                    }
                },
                LogitsProcessorConformance::everyLogitIsANumberAndSomethingStaysPossible,
                "made all 5 tokens impossible");
    }

    @Test
    void aProcessorThatChangesTheTokens() {
        caught(
                (_, history) -> history.committed()[0] = (history.committed()[0] + 1) % VOCABULARY,
                LogitsProcessorConformance::theTokensAreLeftAsTheyAre,
                "committed tokens");
    }

    @Test
    void aPolicyThatChoosesANegativeLength() {
        assertThatCode(() -> lengths(() -> 3).everyDepthCanBe()).doesNotThrowAnyException();
        assertThatThrownBy(() -> lengths(() -> -1).everyDepthCanBe())
                .hasMessageContaining("chose depth -1 in round 0, expected at least 0");
    }

    @Test
    void aPolicyThatWorksForOneSequenceOnly() {
        var starts = new AtomicInteger();
        assertThatThrownBy(() ->
                        lengths(
                                        () -> {
                                            if (starts.get() > 1) {
                                                throw new IllegalStateException("taken");
                                            }
                                            return 2;
                                        },
                                        starts::incrementAndGet)
                                .sequencesOfSeveralThreadsEnd())
                .hasMessageContaining("taken");
    }

    @Test
    void aListenerThatClosesOnce() {
        var closed = new ArrayList<String>();
        var once =
                listener(
                        _ -> DecodeListener.none(),
                        () -> {
                            if (!closed.isEmpty()) {
                                throw new IllegalStateException("closed already");
                            }
                            closed.add("once");
                        });
        assertThatThrownBy(once::aRunThatEndsBeforeItsFirstSequenceIsClosed)
                .hasMessageContaining("closed already");
    }

    @Test
    void aListenerThatFollowsOneSequenceAtATime() {
        var open = new AtomicInteger();
        Function<RunListener.Sequence, DecodeListener> begin =
                _ -> {
                    if (open.incrementAndGet() > 1) {
                        throw new IllegalStateException("still busy");
                    }
                    return DecodeListener.none();
                };
        assertThatThrownBy(() -> listener(begin, () -> {}).aRunIsFollowedToItsEnd())
                .hasMessageContaining("still busy");
        assertThatThrownBy(() -> listener(begin, () -> {}).sequencesOfSeveralThreadsAreFollowed())
                .hasMessageContaining("still busy");
    }

    @Test
    void honestListenersPass() {
        var honest = listener(_ -> DecodeListener.none(), () -> {});
        assertThatCode(
                        () -> {
                            honest.aRunIsFollowedToItsEnd();
                            honest.sequencesOfSeveralThreadsAreFollowed();
                            honest.aRunThatEndsBeforeItsFirstSequenceIsClosed();
                        })
                .doesNotThrowAnyException();
    }

    private static void caught(
            LogitsProcessor faulty, Consumer<LogitsProcessorConformance> check, String message) {
        assertThatCode(() -> check.accept(suite(HONEST))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check.accept(suite(faulty))).hasMessageContaining(message);
    }

    private static LogitsProcessorConformance suite(LogitsProcessor processor) {
        return new LogitsProcessorConformance() {
            @Override
            protected LogitsProcessor processor() {
                return processor;
            }

            @Override
            protected int vocabulary() {
                return VOCABULARY;
            }
        };
    }

    private static DraftLengthPolicyConformance lengths(DraftLengthPolicy policy) {
        return lengths(policy, () -> {});
    }

    private static DraftLengthPolicyConformance lengths(DraftLengthPolicy policy, Runnable start) {
        return new DraftLengthPolicyConformance() {
            @Override
            protected DraftLengthPolicy start() {
                start.run();
                return policy;
            }
        };
    }

    private static RunListenerConformance listener(
            Function<RunListener.Sequence, DecodeListener> begin, Runnable close) {
        return new RunListenerConformance() {
            @Override
            protected RunListener open(Path folder) {
                return new RunListener() {
                    @Override
                    public DecodeListener begin(Sequence sequence) {
                        return begin.apply(sequence);
                    }

                    @Override
                    public void close() {
                        close.run();
                    }
                };
            }
        };
    }
}
