package dev.outrider.cli;

import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.Document;
import dev.outrider.demo.corpus.PairGenerator;
import dev.outrider.demo.corpus.Split;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.PairSource;
import dev.outrider.training.TextPair;

/// The made-up corpus as training reads it.
///
/// @param seed names the corpus
record TrainingCorpus(long seed) {
    /// Documents to learn.
    DocumentSource training() {
        return source(Split.TRAIN);
    }

    /// Documents whose loss is watched.
    DocumentSource validation() {
        return source(Split.VALIDATION);
    }

    /// Pairs to learn.
    PairSource trainingPairs() {
        return pairs(Split.TRAIN);
    }

    /// Pairs whose loss is watched.
    PairSource validationPairs() {
        return pairs(Split.VALIDATION);
    }

    private PairSource pairs(Split split) {
        var corpus = new PairGenerator(seed);
        return () -> corpus.pairs(split).map(pair -> new TextPair(pair.source(), pair.answer()));
    }

    private DocumentSource source(Split split) {
        var corpus = new CorpusGenerator(seed);
        return DocumentSource.ofTexts(() -> corpus.documents(split).map(Document::text));
    }
}
