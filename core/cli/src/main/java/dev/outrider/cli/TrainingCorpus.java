package dev.outrider.cli;

import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.Document;
import dev.outrider.demo.corpus.Split;
import dev.outrider.training.DocumentSource;

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

    private DocumentSource source(Split split) {
        var corpus = new CorpusGenerator(seed);
        return () -> corpus.documents(split).map(Document::text);
    }
}
