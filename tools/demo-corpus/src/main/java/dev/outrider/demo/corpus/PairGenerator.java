package dev.outrider.demo.corpus;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Writes pairs of a source and its answer, each a pure function of a content seed, and sorts them into splits by the text of the
/// source, as [CorpusGenerator] does with prompts. Thread-safe: it holds one number.
public final class PairGenerator {
    /// Summaries and tables have at least three times the tokens of a translation, so this gives
    /// all about the same share.
    private static final List<PairKind> TURNS =
            List.of(
                    PairKind.TRANSLATION,
                    PairKind.SUMMARY,
                    PairKind.TRANSLATION,
                    PairKind.EXTRACTION,
                    PairKind.TRANSLATION);

    private static final long FIRST_SERIES = 101;

    private final long seed;

    /// @param seed determines the corpus; other seeds give other pairs, but a source is always in
    ///     the same split
    public PairGenerator(long seed) {
        this.seed = seed;
    }

    /// Returns the pairs of one kind and split, without end, always in the same order.
    public Stream<Pair> pairs(Split split, PairKind kind) {
        return LongStream.iterate(0, index -> index + 1)
                .mapToObj(index -> pair(kind, contentSeed(kind, index)))
                .filter(pair -> splitOf(pair) == split);
    }

    /// Returns the pairs of all kinds in a split, three translations for each summary and table,
    /// without end.
    public Stream<Pair> pairs(Split split) {
        return LongStream.iterate(0, index -> index + 1)
                .mapToObj(index -> {
                    var kind = TURNS.get((int) (index % TURNS.size()));
                    return pair(kind, contentSeed(kind, index));
                })
                .filter(pair -> splitOf(pair) == split);
    }

    /// Writes one pair.
    public Pair pair(PairKind kind, long contentSeed) {
        var choices = new Choices(new SplittableRandom(contentSeed));
        var written =
                switch (kind) {
                    case SUMMARY -> SummaryWriter.summary(choices);
                    case TRANSLATION -> TranslationWriter.write(choices);
                    case EXTRACTION -> ExtractionWriter.extraction(choices);
                };
        return new Pair(kind, contentSeed, kind.prefix() + written.source(), written.answer());
    }

    private static Split splitOf(Pair pair) {
        return CorpusGenerator.splitOf(pair.source());
    }

    private long contentSeed(PairKind kind, long index) {
        return CorpusGenerator.contentSeed(seed, FIRST_SERIES + kind.ordinal(), index);
    }
}
