package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelConfig.LearnConfig;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Drafter.Learning;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.training.RoundTraining;
import dev.outrider.training.VisitedText.VisitedPrefixes;
import dev.outrider.training.VisitedText.VerifiedText;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// A draft model that learns from its own rounds, between sequences. Thread-safe; of [#learning], one thread at a time.
///
/// Sessions hold the parameters that were in force when they were opened, so a cache belongs to one set of them, and so do a draft and the
/// distribution it is judged by. New parameters pass through a folder: the network is loaded as any checkpoint is, in the
/// number format of the configuration.
///
/// @see "Liu et al. 2024 (Online Speculative Decoding), algorithm 1"
final class LearningDrafter implements Drafter, Learning {
    private final SmallModelConfig config;
    private final LearnConfig settings;
    private final RoundTraining training;
    private final Function<Path, SmallModelDrafter> loading;
    private final int longest;
    private final long parameters;
    private final String digest;

    // Guarded by this.
    private final TreeMap<Long, VerifiedText> ended = new TreeMap<>();
    private DraftGeneration current;
    private long opened;
    private long forgotten;
    private boolean closed;

    private LearningDrafter(
            SmallModelConfig config,
            SmallModelDrafter drafter,
            RoundTraining training,
            Function<Path, SmallModelDrafter> loading) {
        this.config = config;
        settings = config.learn().orElseThrow();
        this.training = training;
        this.loading = loading;
        longest = Math.min(settings.tokens(), training.maxPositions());
        parameters = drafter.parameters();
        digest = drafter.digest();
        current = new DraftGeneration(drafter);
    }

    /// @param drafter the checkpoint as it is; closed with this one
    /// @param loading makes a drafter of other numbers, from a folder that is gone afterwards
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`, `DRAFTER_VOCABULARY_MISMATCH`; the drafter is then not closed
    static LearningDrafter of(
            SmallModelConfig config,
            SmallModelDrafter drafter,
            Function<Path, SmallModelDrafter> loading) {
        var training =
                new RoundTraining(
                        ModelPaths.resolved(config.path()),
                        config.learn().orElseThrow().settings());
        if (training.vocabularySize() != drafter.targetSize()) {
            training.close();
            throw new OutriderException(
                    ErrorCode.DRAFTER_VOCABULARY_MISMATCH,
                    "drafter 'small-model' at %s has %d logits, but the target has %d: it cannot learn from them"
                            .formatted(
                                    config.path(), training.vocabularySize(), drafter.targetSize()),
                    "Leave 'learn' out, or use a draft with as many embeddings as the target.");
        }
        return new LearningDrafter(config, drafter, training, loading);
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public long parameters() {
        return parameters;
    }

    /// Of the checkpoint that it begins with.
    @Override
    public String digest() {
        return digest;
    }

    @Override
    public Optional<Learning> learning() {
        return Optional.of(this);
    }

    @Override
    public synchronized DraftSession open(DraftRequest request) {
        var generation = current;
        var session = generation.drafter().open(request);
        generation.hold();
        long number = opened++;
        return new VerifiedSession(
                session,
                longest,
                text -> {
                    text.ifPresent(each -> keep(number, each));
                    generation.release();
                });
    }

    private synchronized void keep(long number, VerifiedText text) {
        if (!closed && number >= forgotten) {
            ended.put(number, text);
        }
    }

    @Override
    public int learn() {
        var texts = ready();
        if (texts.isEmpty()) {
            return 0;
        }
        for (int step = 0; step < settings.steps(); step++) {
            training.step(texts);
        }
        replace();
        return texts.size();
    }

    /// Sequences in the order in which they were opened; none as long as there are too few.
    private synchronized List<VerifiedText> ready() {
        if (ended.size() < settings.every()) {
            return List.of();
        }
        var texts = List.copyOf(ended.values());
        ended.clear();
        return texts;
    }

    @Override
    public void restart() {
        synchronized (this) {
            ended.clear();
            forgotten = opened;
        }
        training.restart();
        replace();
    }

    /// Puts the parameters that were learned into force.
    private void replace() {
        var next = new DraftGeneration(loaded());
        DraftGeneration before;
        synchronized (this) {
            before = current;
            current = next;
        }
        before.release();
    }

    private SmallModelDrafter loaded() {
        try {
            var folder = Files.createTempDirectory("outrider-draft");
            try {
                training.write(folder);
                return loading.apply(folder);
            } finally {
                try (var files = Files.newDirectoryStream(folder)) {
                    for (var file : files) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "cannot write the parameters that drafter 'small-model' learned: %s"
                            .formatted(e.getMessage()),
                    "Free some space in the folder for temporary files.",
                    e);
        }
    }

    @Override
    public void close() {
        DraftGeneration last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = current;
        }
        last.release();
        training.close();
    }

    /// Parameters of a draft that learns, between two steps. They are closed once nothing drafts with them and later ones are in force.
    /// Thread-safe.
    static final class DraftGeneration {
        private final SmallModelDrafter drafter;
        private int users = 1;

        /// Creates it with one user, its creator.
        DraftGeneration(SmallModelDrafter drafter) {
            this.drafter = drafter;
        }

        SmallModelDrafter drafter() {
            return drafter;
        }

        synchronized void hold() {
            users++;
        }

        synchronized void release() {
            users--;
            if (users == 0) {
                drafter.close();
            }
        }
    }

    /// Keeps what the target said wherever a session drew, and hands it over when the session ends. Confined to one thread.
    static final class VerifiedSession implements DraftSession {
        private final DraftSession drafting;
        private final int mostNodes;
        private final Consumer<Optional<VerifiedText>> ended;
        private final TreeMap<Integer, float[]> logits = new TreeMap<>();
        private Optional<VisitedPrefixes> visits = Optional.empty();
        private boolean closed;

        /// @param drafting  draws; closed with this session
        /// @param mostNodes of the text that are kept
        /// @param ended     told once, after that session was closed; nothing if it drew nowhere
        VerifiedSession(
                DraftSession drafting, int mostNodes, Consumer<Optional<VerifiedText>> ended) {
            this.drafting = drafting;
            this.mostNodes = mostNodes;
            this.ended = ended;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            drafting.begin(prompt, promptStates);
            visits = Optional.of(new VisitedPrefixes(prompt));
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            return drafting.propose(budget, randomness);
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return drafting.capability(type);
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            drafting.observe(draft, verdict, scores);
            var prefixes = visits.orElseThrow();
            int[] places = prefixes.add(draft, verdict);
            for (int node = 0; node < places.length; node++) {
                int place = places[node];
                if (place >= 0 && place < mostNodes && prefixes.visited(place)) {
                    logits.put(
                            place,
                            scores.logits(node)
                                    .asSlice(0, (long) scores.vocabularySize() * Float.BYTES)
                                    .toArray(ValueLayout.JAVA_FLOAT));
                }
            }
        }

        @Override
        public void close() {
            drafting.close();
            if (!closed) {
                closed = true;
                ended.accept(judged());
            }
        }

        private Optional<VerifiedText> judged() {
            return visits.filter(_ -> !logits.isEmpty())
                    .map(prefixes ->
                            new VerifiedText(
                                    prefixes.text().first(mostNodes),
                                    logits.values().stream().toList()));
        }
    }
}
