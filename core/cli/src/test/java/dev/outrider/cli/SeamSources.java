package dev.outrider.cli;

import java.util.List;
import java.util.function.UnaryOperator;

/// Sources of a plugin `acme.SeamPlugin` with a listener, a draft-length policy and a logits processor.
final class SeamSources {
    private static final String PLUGIN =
            """
            package acme;
            public final class SeamPlugin implements OutriderPlugin {
                public int spiVersion() { return SPI_VERSION; }
                public List<DraftLengthPolicy.Factory<?>> draftLengthPolicies() { return List.of(new TakingTurns()); }
                public List<LogitsProcessor.Factory<?>> logitsProcessors() { return List.of(new NoRepeat()); }
                public List<RunListener.Factory<?>> listeners() { return List.of(new Diary()); }
            }
            """;

    private static final String LISTENER_CONFIG =
            """
            package acme;
            @Doc("Writes a line for every round.")
            public record DiaryConfig(@Doc("Round in which it fails; below 0 never.") @Default("-1") int failsIn) {}
            """;

    private static final String LISTENER =
            """
            package acme;
            import java.io.IOException;
            import java.io.PrintWriter;
            import java.io.UncheckedIOException;
            import java.nio.file.Files;
            import java.nio.file.Path;
            public final class Diary implements RunListener.Factory<DiaryConfig> {
                public String name() { return "diary"; }
                public Class<DiaryConfig> configType() { return DiaryConfig.class; }
                public RunListener open(DiaryConfig config, Path folder) {
                    try {
                        return new Pages(config, new PrintWriter(Files.newBufferedWriter(folder.resolve("diary.txt"))));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                record Pages(DiaryConfig config, PrintWriter out) implements RunListener {
                    public DecodeListener begin(Sequence sequence) {
                        out.println(sequence.variant() + ", " + sequence.prompt() + ", " + sequence.repetition());
                        return event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                if (round.round() == config.failsIn()) { throw new IllegalStateException("no ink"); }
                                out.println("  " + round.draft().tree().candidateDepth() + " deep " + java.util.Arrays.toString(
                                        java.util.Arrays.copyOf(round.verdict().emitted(round.draft().tree()), round.emitted())));
                            }
                        };
                    }
                    public void close() {
                        out.println("closed");
                        out.close();
                    }
                }
            }
            """;

    private static final String LENGTH =
            """
            package acme;
            public final class TakingTurns implements DraftLengthPolicy.Factory<TakingTurns.Config> {
                @Doc("One token, then the most, in turns.")
                public record Config(@Doc("Greatest length.") @Default("3") int most) {}
                public String name() { return "taking-turns"; }
                public Class<Config> configType() { return Config.class; }
                public DraftLengthPolicy start(Config config) {
                    return new DraftLengthPolicy() {
                        private int length = 1;
                        public int next() { return length; }
                        public void observe(DecodeEvent.RoundCompleted round) { length = length == 1 ? config.most() : 1; }
                    };
                }
            }
            """;

    private static final String PROCESSOR =
            """
            package acme;
            import java.lang.foreign.ValueLayout;
            public final class NoRepeat implements LogitsProcessor.Factory<NoRepeat.Config> {
                @Doc("No token may follow one of the last ones of its own kind.")
                public record Config(@Doc("How many tokens it remembers.") @Default("1") int tokens) {}
                public String name() { return "no-repeat"; }
                public Class<Config> configType() { return Config.class; }
                public LogitsProcessor create(Config config, TargetModel target) {
                    return (logits, history) -> {
                        for (int back = 1; back <= config.tokens(); back++) {
                            int token = back <= history.path().length
                                    ? history.path()[history.path().length - back]
                                    : history.committed()[history.length() + history.path().length - back];
                            logits.setAtIndex(ValueLayout.JAVA_FLOAT, token, Float.NEGATIVE_INFINITY);
                        }
                    };
                }
            }
            """;

    private SeamSources() {}

    /// Returns the plugin with pieces of its sources replaced.
    ///
    /// @param pieces alternately a piece and its replacement
    static PluginJar jarWith(String... pieces) {
        return jar(source -> {
            var changed = source;
            for (int at = 0; at < pieces.length; at += 2) {
                changed = changed.replace(pieces[at], pieces[at + 1]);
            }
            return changed;
        });
    }

    /// Returns the sources of the whole plugin.
    static PluginJar jar() {
        return jar(source -> source);
    }

    private static PluginJar jar(UnaryOperator<String> change) {
        var jar = new PluginJar().provider("acme.SeamPlugin");
        List.of(PLUGIN, LISTENER_CONFIG, LISTENER, LENGTH, PROCESSOR)
                .forEach(source -> jar.source(change.apply(source)));
        return jar;
    }
}
