package dev.outrider.demo.corpus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Documents as files, each written completely or not at all; parent folders are created. If a file
/// cannot be written, an older file of that name is unchanged.
///
/// JSON Lines have one object a line: `{"id","kind","text"}` of a document to learn from,
/// `{"id","kind","prompt","reference"}` of a prompt, `{"id","kind","source","reference"}` of a pair;
/// `reference` is the corpus' own continuation or answer.
public final class CorpusFiles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CorpusFiles() {}

    /// Writes whole documents as JSON Lines.
    public static void writeTexts(Path file, Stream<Document> documents) throws IOException {
        write(file, documents.map(document -> head(document).put("text", document.text())));
    }

    /// Writes whole documents as plain text, an empty line after each.
    public static void writePlainTexts(Path file, Stream<Document> documents) throws IOException {
        write(file, documents.map(document -> document.text().stripTrailing() + "\n"));
    }

    /// Writes prompts or pairs as JSON Lines.
    ///
    /// @param given name of the field that holds what the model is given: `prompt` or `source`
    public static void writeHeldOut(Path file, String given, Stream<Document> documents)
            throws IOException {
        write(
                file,
                documents.map(document ->
                        head(document)
                                .put(given, document.prompt())
                                .put("reference", document.continuation())));
    }

    private static ObjectNode head(Document document) {
        return JSON.createObjectNode().put("id", document.id()).put("kind", document.kind());
    }

    /// Writes the objects, each as a line with a line feed at its end.
    private static void write(Path file, Stream<?> lines) throws IOException {
        Iterable<String> texts = lines.map(line -> line + "\n")::iterator;
        AtomicFile.write(
                file,
                temporary -> {
                    try (var out = Files.newBufferedWriter(temporary)) {
                        for (var text : texts) {
                            out.write(text);
                        }
                    }
                });
    }
}
