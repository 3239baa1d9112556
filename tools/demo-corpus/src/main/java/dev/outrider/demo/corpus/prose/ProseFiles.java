package dev.outrider.demo.corpus.prose;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.demo.corpus.CorpusFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The corpus as files: JSON Lines, one object a line.
///
/// A document is `{"kind","source","licence","text"}`, a prompt `{"id","kind","prompt","reference"}`.
public final class ProseFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    // Of the texts: their authors died before 1900, or wrote for the government of the United
    // States.
    private static final String LICENCE = "public domain";

    private ProseFiles() {}

    /// Writes `KIND.jsonl` for training, `held-out-KIND.jsonl`, and prompts from the latter,
    /// `held-out-prompts.jsonl`; the folder is created.
    ///
    /// @param promptsPerKind positive
    /// @return the files and the number of their lines, in the order of the files' names
    /// @throws IOException if a file cannot be written
    public static Map<Path, Integer> write(ProseCorpus corpus, Path folder, int promptsPerKind)
            throws IOException {
        Map<Path, Integer> written = new TreeMap<>();
        for (var kind : ProseCorpus.ProseKind.values()) {
            var name = kind.label() + ".jsonl";
            write(folder.resolve(name), of(kind, corpus.training()), written);
            write(folder.resolve("held-out-" + name), of(kind, corpus.heldOut()), written);
        }
        var prompts = ProsePrompts.of(corpus.heldOut(), promptsPerKind);
        write(
                folder.resolve("held-out-prompts.jsonl"),
                prompts.stream().map(ProseFiles::line).toList(),
                written);
        return written;
    }

    private static void write(Path file, List<ObjectNode> lines, Map<Path, Integer> written)
            throws IOException {
        CorpusFiles.write(file, lines.stream());
        written.put(file, lines.size());
    }

    private static List<ObjectNode> of(
            ProseCorpus.ProseKind kind, List<ProseCorpus.ProseDocument> documents) {
        List<ObjectNode> lines = new ArrayList<>();
        for (var document : documents) {
            if (document.kind() == kind) {
                lines.add(
                        JSON.createObjectNode()
                                .put("kind", kind.label())
                                .put("source", document.source())
                                .put("licence", LICENCE)
                                .put("text", document.text()));
            }
        }
        return lines;
    }

    private static ObjectNode line(ProsePrompts.ProsePrompt prompt) {
        return JSON.createObjectNode()
                .put("id", prompt.id())
                .put("kind", prompt.kind().label())
                .put("prompt", prompt.prompt())
                .put("reference", prompt.reference());
    }
}
