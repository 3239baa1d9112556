package dev.outrider.cli;

import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.Document;
import dev.outrider.demo.corpus.Split;
import dev.outrider.nn.train.DocumentSource;
import java.util.Map;

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

    /// What `training.json` says about where a run came from.
    Map<String, String> provenance(String configHash) {
        return Map.of(
                "corpusSeed",
                Long.toString(seed),
                "configHash",
                configHash,
                "outrider",
                BuildInfo.version());
    }

    private DocumentSource source(Split split) {
        var corpus = new CorpusGenerator(seed);
        return () -> corpus.documents(split).map(Document::text);
    }
}
