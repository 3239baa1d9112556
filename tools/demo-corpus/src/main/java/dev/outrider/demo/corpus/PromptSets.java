package dev.outrider.demo.corpus;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Benchmark prompts from the held-out split, and documents as files: JSON Lines, one object a line.
///
/// A prompt line is `{"id","kind","prompt","reference"}`; `reference` is the corpus' own continuation. Of a pair it is
/// `{"id","kind","source","reference"}`.
public final class PromptSets {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final CorpusGenerator corpus;

    /// @param corpus source of the prompts
    public PromptSets(CorpusGenerator corpus) {
        this.corpus = corpus;
    }

    /// Returns the first held-out documents of every kind, kind by kind, without repeated prompts.
    ///
    /// @param kinds   the kinds, in this order
    /// @param perKind number of each; positive
    public List<Document> heldOut(List<TaskKind> kinds, int perKind) {
        return distinct(
                kinds, kind -> corpus.documents(Split.TEST, kind), Document::prompt, perKind);
    }

    /// Returns the first held-out pairs of every kind, kind by kind, without repeated sources.
    ///
    /// @param pairs   source of the pairs
    /// @param perKind number of each; positive
    public static List<Pair> heldOut(PairGenerator pairs, int perKind) {
        return distinct(
                List.of(PairKind.values()),
                kind -> pairs.pairs(Split.TEST, kind),
                Pair::source,
                perKind);
    }

    private static <K, T> List<T> distinct(
            List<K> kinds, Function<K, Stream<T>> texts, Function<T, String> given, int perKind) {
        if (perKind < 1) {
            throw new IllegalArgumentException(
                    "perKind is %d; expected at least 1".formatted(perKind));
        }
        var chosen = new ArrayList<T>();
        Set<String> seen = new HashSet<>();
        for (var kind : kinds) {
            texts.apply(kind)
                    .filter(text -> seen.add(given.apply(text)))
                    .limit(perKind)
                    .forEach(chosen::add);
        }
        return List.copyOf(chosen);
    }

    /// Writes prompts as JSON Lines, atomically; parent folders are created.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then
    ///     unchanged
    public static void write(Path file, List<Document> prompts) throws IOException {
        Lines.write(file, prompts.stream().map(document -> promptLine(document)));
    }

    /// Writes pairs as JSON Lines, atomically; parent folders are created.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then
    ///     unchanged
    public static void writePairs(Path file, List<Pair> pairs) throws IOException {
        Lines.write(file, pairs.stream().map(PromptSets::pairLine));
    }

    /// Writes whole documents as JSON Lines `{"id","kind","text"}`, atomically; parent folders are
    /// created.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then
    ///     unchanged
    public static void writeTexts(Path file, Stream<Document> documents) throws IOException {
        Lines.write(file, documents.map(PromptSets::textLine));
    }

    /// Writes whole documents as plain text, an empty line after each, atomically; parent folders
    /// are created.
    ///
    /// @throws IOException if the file cannot be written; an older file of that name is then
    ///     unchanged
    public static void writePlainTexts(Path file, Stream<Document> documents) throws IOException {
        Lines.write(file, documents.map(document -> document.text().stripTrailing() + "\n"));
    }

    private static String textLine(Document document) {
        return head(document.id(), document.kind().label()).put("text", document.text()).toString();
    }

    private static String promptLine(Document document) {
        return head(document.id(), document.kind().label())
                .put("prompt", document.prompt())
                .put("reference", document.continuation())
                .toString();
    }

    private static String pairLine(Pair pair) {
        return head(pair.id(), pair.kind().label())
                .put("source", pair.source())
                .put("reference", pair.answer())
                .toString();
    }

    private static ObjectNode head(String id, String kind) {
        return JSON.createObjectNode().put("id", id).put("kind", kind);
    }
}
