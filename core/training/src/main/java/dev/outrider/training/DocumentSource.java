package dev.outrider.training;

import dev.outrider.training.data.Document;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An ordered stream of documents to train on.
@FunctionalInterface
public interface DocumentSource {
    /// All documents from the first, always in the same order; the caller closes the stream. A training run that
    /// reaches the end of a finite stream starts again at its beginning.
    Stream<Document> open();

    /// Describes the documents in one line. A run is resumed only if this line is the same.
    default String facts() {
        return "";
    }

    /// The same documents with facts about them.
    default DocumentSource withFacts(String facts) {
        return new DocumentSource() {
            @Override
            public Stream<Document> open() {
                return DocumentSource.this.open();
            }

            @Override
            public String facts() {
                return facts;
            }
        };
    }

    /// Texts that are cut at the end of a row.
    static DocumentSource ofTexts(Supplier<Stream<String>> texts) {
        return () -> texts.get().map(text -> new Document.Text(text, Document.Overflow.CUT));
    }
}
