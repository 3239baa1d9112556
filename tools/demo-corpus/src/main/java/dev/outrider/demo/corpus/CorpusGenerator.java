package dev.outrider.demo.corpus;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Writes documents, each a pure function of a content seed, and sorts them into splits.
/// Thread-safe: it holds one number.
///
/// The split is a keyed hash of the *prompt text*, not of the seed: if two seeds write the same
/// prompt, both are in the same split. So no test prompt is a training prompt, however many
/// documents are drawn.
public final class CorpusGenerator {
    private static final long SPLIT_KEY = 0x6f75747269646572L;

    private final long seed;

    /// @param seed determines the corpus; other seeds give other documents, but a prompt is always
    ///     in the same split
    public CorpusGenerator(long seed) {
        this.seed = seed;
    }

    /// Returns the documents of one kind and split, without end, always in the same order.
    public Stream<Document> documents(Split split, TaskKind kind) {
        return LongStream.iterate(0, index -> index + 1)
                .mapToObj(index -> document(kind, contentSeed(kind, index)))
                .filter(document -> splitOf(document.prompt()) == split);
    }

    /// Returns the documents of all kinds in a split, one of each kind in turn, without end.
    public Stream<Document> documents(Split split) {
        var kinds = TaskKind.values();
        return LongStream.iterate(0, index -> index + 1)
                .mapToObj(index -> {
                    var kind = kinds[(int) (index % kinds.length)];
                    return document(kind, contentSeed(kind, index / kinds.length));
                })
                .filter(document -> splitOf(document.prompt()) == split);
    }

    /// Writes one document.
    public Document document(TaskKind kind, long contentSeed) {
        var choices = new Choices(new SplittableRandom(contentSeed));
        var draft =
                switch (kind) {
                    case STORY -> StoryWriter.write(choices);
                    case QUESTION -> QuestionWriter.write(choices);
                    case ARITHMETIC -> ArithmeticWriter.write(choices);
                    case EXTRACTION -> ExtractionWriter.write(choices);
                    case CODE -> CodeWriter.write(choices);
                    case SUMMARY -> SummaryWriter.write(choices);
                };
        return new Document(kind, contentSeed, draft.prompt(), draft.continuation());
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
        return contentSeed(seed, kind.ordinal() + 1L, index);
    }

    /// Returns the content seed at an index in a series of the corpus.
    static long contentSeed(long seed, long series, long index) {
        return mix(mix(seed ^ SPLIT_KEY) + mix(series) + index * 0x9e3779b97f4a7c15L);
    }

    /// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads
    /// neighbouring numbers.
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
