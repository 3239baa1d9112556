package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Writes documents and pairs, each a pure function of a content seed, and sorts them into splits.
/// Thread-safe: it holds one number.
///
/// The split is a keyed hash of the *prompt text*, not of the seed: if two seeds write the same
/// prompt, both are in the same split. So no test prompt is a training prompt, however many
/// documents are drawn.
public final class CorpusGenerator {
    private static final long SPLIT_KEY = 0x6f75747269646572L;
    private static final long FIRST_SERIES_OF_PAIRS = 101;

    /// Summaries and tables have at least three times the tokens of a translation, so this gives
    /// all about the same share.
    private static final List<PairKind> PAIR_TURNS =
            List.of(
                    PairKind.TRANSLATION,
                    PairKind.SUMMARY,
                    PairKind.TRANSLATION,
                    PairKind.EXTRACTION,
                    PairKind.TRANSLATION);

    /// The purpose of a document. A prompt belongs to exactly one split, for every seed.
    public enum Split {
        /// 90 % of prompts: for training.
        TRAIN,
        /// 5 %: for the validation loss during training.
        VALIDATION,
        /// 5 %: never used in training; benchmark prompts come from here.
        TEST;

        /// Returns the lower-case name used in files.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final long seed;

    /// @param seed determines the corpus; other seeds give other texts, but a prompt is always in
    ///     the same split
    public CorpusGenerator(long seed) {
        this.seed = seed;
    }

    /// Returns the documents of one kind and split, without end, always in the same order.
    public Stream<Document> documents(Split split, TaskKind kind) {
        return texts(split, index -> document(kind, contentSeed(kind, index)));
    }

    /// Returns the documents of all kinds in a split, one of each kind in turn, without end.
    public Stream<Document> documents(Split split) {
        var kinds = TaskKind.values();
        return texts(
                split,
                index -> {
                    var kind = kinds[(int) (index % kinds.length)];
                    return document(kind, contentSeed(kind, index / kinds.length));
                });
    }

    /// Returns the pairs of one kind and split, without end, always in the same order.
    public Stream<Document> pairs(Split split, PairKind kind) {
        return texts(split, index -> pair(kind, contentSeed(kind, index)));
    }

    /// Returns the pairs of all kinds in a split, three translations for each summary and table,
    /// without end.
    public Stream<Document> pairs(Split split) {
        return texts(
                split,
                index -> {
                    var kind = PAIR_TURNS.get((int) (index % PAIR_TURNS.size()));
                    return pair(kind, contentSeed(kind, index));
                });
    }

    private static Stream<Document> texts(Split split, LongFunction<Document> at) {
        return LongStream.iterate(0, index -> index + 1)
                .mapToObj(at)
                .filter(document -> splitOf(document.prompt()) == split);
    }

    /// Returns the first held-out documents of every kind, kind by kind, without repeated prompts.
    ///
    /// @param kinds   the kinds, in this order
    /// @param perKind number of each; positive
    public List<Document> heldOut(List<TaskKind> kinds, int perKind) {
        return distinct(kinds, kind -> documents(Split.TEST, kind), perKind);
    }

    /// Returns the first held-out pairs of every kind, kind by kind, without repeated sources.
    ///
    /// @param perKind number of each; positive
    public List<Document> heldOutPairs(int perKind) {
        return distinct(List.of(PairKind.values()), kind -> pairs(Split.TEST, kind), perKind);
    }

    private static <K> List<Document> distinct(
            List<K> kinds, Function<K, Stream<Document>> texts, int perKind) {
        var chosen = new ArrayList<Document>();
        Set<String> seen = new HashSet<>();
        for (var kind : kinds) {
            texts.apply(kind)
                    .filter(text -> seen.add(text.prompt()))
                    .limit(perKind)
                    .forEach(chosen::add);
        }
        return List.copyOf(chosen);
    }

    /// Writes one document.
    public Document document(TaskKind kind, long contentSeed) {
        var choices = new Choices(new SplittableRandom(contentSeed));
        var parts =
                switch (kind) {
                    case STORY -> StoryWriter.write(choices);
                    case QUESTION -> QuestionWriter.write(choices);
                    case ARITHMETIC -> ArithmeticWriter.write(choices);
                    case EXTRACTION -> ExtractionWriter.document(choices);
                    case CODE -> CodeWriter.write(choices);
                    case SUMMARY -> SummaryWriter.document(choices);
                };
        return new Document(kind.label(), contentSeed, parts.prompt(), parts.continuation());
    }

    /// Writes one pair.
    public Document pair(PairKind kind, long contentSeed) {
        var choices = new Choices(new SplittableRandom(contentSeed));
        var parts =
                switch (kind) {
                    case SUMMARY -> SummaryWriter.pair(choices);
                    case TRANSLATION -> TranslationWriter.write(choices);
                    case EXTRACTION -> ExtractionWriter.pair(choices);
                };
        return new Document(
                kind.label(), contentSeed, kind.prefix() + parts.prompt(), parts.continuation());
    }

    /// Returns the split of a prompt.
    public static Split splitOf(String prompt) {
        long hash = SPLIT_KEY;
        for (int i = 0; i < prompt.length(); i++) {
            hash = (hash ^ prompt.charAt(i)) * 0x100000001b3L;
        }
        int percent = (int) Long.remainderUnsigned(mix(hash), 100);
        if (percent < 90) {
            return Split.TRAIN;
        }
        return percent < 95 ? Split.VALIDATION : Split.TEST;
    }

    private long contentSeed(TaskKind kind, long index) {
        return contentSeed(kind.ordinal() + 1L, index);
    }

    private long contentSeed(PairKind kind, long index) {
        return contentSeed(FIRST_SERIES_OF_PAIRS + kind.ordinal(), index);
    }

    private long contentSeed(long series, long index) {
        return mix(mix(seed ^ SPLIT_KEY) + mix(series) + index * 0x9e3779b97f4a7c15L);
    }

    /// Returns the finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection that gives
    /// consecutive numbers very different results.
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /// The task of a source. Sources begin with their task, as T5's do.
    public enum PairKind {
        /// A text, and a summary that quotes two of its sentences. The source does not name the
        /// sentences, but the whole summary is copied.
        SUMMARY("summarize: "),
        /// Sentences of one artificial language and their translation: the source determines every
        /// word.
        TRANSLATION("translate Velan to Oric: "),
        /// A table, and some of its columns as JSON. All cells are copied, and the source names them.
        EXTRACTION("extract: ");

        private final String prefix;

        PairKind(String prefix) {
            this.prefix = prefix;
        }

        /// Returns the beginning of its sources.
        public String prefix() {
            return prefix;
        }

        /// Returns the lower-case name used in files.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
