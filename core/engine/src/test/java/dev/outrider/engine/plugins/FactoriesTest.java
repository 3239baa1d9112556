package dev.outrider.engine.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Factories that fail, of every kind.
@NullUnmarked
class FactoriesTest {
    private static final Settings SETTINGS = new Settings();

    /// Empty settings.
    record Settings() {}

    /// A question to a factory; the test determines the answer.
    private record Question(String who, String what, Consumer<Supplier<?>> ask) {
        @Override
        public String toString() {
            return who + " " + what;
        }
    }

    static Stream<Question> questions() {
        return Stream.of(
                new Question(
                        "target 'odd'",
                        "open",
                        answer -> Factories.target(new Target(answer), SETTINGS)),
                new Question("drafter 'odd'", "traits", answer -> Factories.traits(choice(answer))),
                new Question(
                        "drafter 'odd'",
                        "create",
                        answer -> Factories.drafter(choice(answer), () -> null)),
                new Question(
                        "drafter 'odd'",
                        "traits() of what it made",
                        answer -> Factories.traits(choice(answer), new Loaded(answer))),
                new Question(
                        "acceptance rule 'odd'",
                        "create",
                        answer -> Factories.rule(new Rule(answer), SETTINGS)),
                new Question(
                        "acceptance rule 'odd'",
                        "traits() of what it made",
                        answer -> Factories.rule(new Rule(() -> new Decides(answer)), SETTINGS)),
                new Question(
                        "draft-length policy 'odd'",
                        "start",
                        answer -> Factories.lengths(new Lengths(answer), SETTINGS)),
                new Question(
                        "logits processor 'odd'",
                        "create",
                        answer -> Factories.processor(new Processor(answer), SETTINGS, null)),
                new Question(
                        "listener 'odd'",
                        "open",
                        answer ->
                                Factories.listener(
                                        new Listener(answer), SETTINGS, Path.of("results"))));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void whatIsThrownIsSaidOfTheComponent(Question question) {
        for (var thrown :
                new Throwable[] {
                    new IllegalStateException("odd"),
                    new AssertionError("odd"),
                    new StackOverflowError("odd")
                }) {
            assertThatThrownBy(() -> question.ask().accept(() -> thrown(thrown)))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "PLUGIN_FAILED: %s failed in %s: %s\n  Report it to its author; --debug shows where it happened."
                                    .formatted(question.who(), question.what(), thrown))
                    .hasCause(thrown);
        }
    }

    @ParameterizedTest
    @MethodSource("questions")
    void nothingIsSaidOfTheComponent(Question question) {
        assertThatThrownBy(() -> question.ask().accept(() -> null))
                .hasMessage(
                        "PLUGIN_FAILED: %s returned null from %s\n  Report it to its author."
                                .formatted(question.who(), question.what()));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void anErrorCodeOfThePluginIsKept(Question question) {
        var own = new OutriderException(ErrorCode.IO_FAILED, "no such file", "Make it.");

        assertThatThrownBy(() -> question.ask().accept(() -> thrown(own))).isSameAs(own);
    }

    @Test
    void anInterruptionIsPassedOn() {
        assertThatThrownBy(() ->
                        Factories.target(
                                new Target(() -> thrown(new CancellationException())), SETTINGS))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void theCreatedComponentIsReturned() {
        var rule =
                new Decides(() ->
                        RuleTraits.lossy("odd", Selection.Kind.any(), TreeShape.TREE, "a test"));

        assertThat(Factories.rule(new Rule(() -> rule), SETTINGS)).isSameAs(rule);
    }

    @SuppressWarnings("unchecked")
    private static <T, E extends Throwable> T thrown(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static DrafterChoice choice(Supplier<?> answer) {
        return new DrafterChoice("odd", new Drafts(answer), SETTINGS);
    }

    /// The common parts of all factories.
    private abstract static class Odd implements ComponentFactory<Settings> {
        final Supplier<?> answer;

        Odd(Supplier<?> answer) {
            this.answer = answer;
        }

        @Override
        public String name() {
            return "odd";
        }

        @Override
        public Class<Settings> configType() {
            return Settings.class;
        }
    }

    private static final class Target extends Odd implements TargetModel.Factory<Settings> {
        Target(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public TargetModel open(Settings config) {
            return (TargetModel) answer.get();
        }
    }

    private static final class Drafts extends Odd implements Drafter.Factory<Settings> {
        Drafts(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public DrafterTraits traits(Settings config) {
            return (DrafterTraits) answer.get();
        }

        @Override
        public Drafter create(Settings config, DrafterContext context) {
            return (Drafter) answer.get();
        }
    }

    private static final class Rule extends Odd implements AcceptanceRule.Factory<Settings> {
        Rule(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public AcceptanceRule create(Settings config) {
            return (AcceptanceRule) answer.get();
        }
    }

    private static final class Lengths extends Odd implements DraftLengthPolicy.Factory<Settings> {
        Lengths(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public DraftLengthPolicy start(Settings config) {
            return (DraftLengthPolicy) answer.get();
        }
    }

    private static final class Processor extends Odd implements LogitsProcessor.Factory<Settings> {
        Processor(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public LogitsProcessor create(Settings config, TargetModel target) {
            return (LogitsProcessor) answer.get();
        }
    }

    private static final class Listener extends Odd implements RunListener.Factory<Settings> {
        Listener(Supplier<?> answer) {
            super(answer);
        }

        @Override
        public RunListener open(Settings config, Path folder) {
            return (RunListener) answer.get();
        }
    }

    private record Decides(Supplier<?> answer) implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return (RuleTraits) answer.get();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            throw new AssertionError("nothing is decided");
        }
    }

    private record Loaded(Supplier<?> answer) implements Drafter {
        @Override
        public DrafterTraits traits() {
            return (DrafterTraits) answer.get();
        }

        @Override
        public DraftSession open(DraftRequest request) {
            throw new AssertionError("nothing is drafted");
        }

        @Override
        public void close() {}
    }
}
