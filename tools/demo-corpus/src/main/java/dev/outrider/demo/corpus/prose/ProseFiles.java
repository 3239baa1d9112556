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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /// Takes prompts from documents: passages that begin with a sentence, spread evenly over the
    /// documents and inside each document.
    static final class ProsePrompts {
        private static final int PROMPT_WORDS = 48;
        private static final int REFERENCE_WORDS = 80;
        private static final Pattern SENTENCE =
                Pattern.compile("(?:^|[.!?][\"')]*\\s+)(?=[\"'(]*[A-Z])");
        private static final Pattern WORD = Pattern.compile("\\s*\\S+");

        private ProsePrompts() {}

        /// A passage of a held-out document, divided in two.
        ///
        /// @param id        the document's source and the position of the passage
        /// @param kind      the document's kind
        /// @param prompt    a model's input; begins with a sentence and never ends in a space
        /// @param reference the text after the prompt
        record ProsePrompt(
                String id, ProseCorpus.ProseKind kind, String prompt, String reference) {}

        /// Returns prompts of every kind, kind by kind.
        ///
        /// @param perKind number of each; fewer if the documents of a kind have no more passages
        static List<ProsePrompt> of(List<ProseCorpus.ProseDocument> documents, int perKind) {
            return Stream.of(ProseCorpus.ProseKind.values())
                    .flatMap(kind ->
                            ofKind(
                                    documents.stream()
                                            .filter(document -> document.kind() == kind)
                                            .map(Passages::of)
                                            .filter(passages -> !passages.starts().isEmpty())
                                            .toList(),
                                    perKind)
                                    .stream())
                    .toList();
        }

        private static List<ProsePrompt> ofKind(List<Passages> documents, int perKind) {
            List<ProsePrompt> prompts = new ArrayList<>();
            int count = documents.size();
            for (int i = 0; i < count; i++) {
                // Document i of n gets an even share; the n shares add up to `perKind`.
                int share = (i + 1) * perKind / count - i * perKind / count;
                prompts.addAll(documents.get(i).evenly(share));
            }
            return prompts;
        }

        /// Possible beginnings of passages that end inside the document.
        private record Passages(ProseCorpus.ProseDocument document, List<Integer> starts) {
            static Passages of(ProseCorpus.ProseDocument document) {
                var text = document.text();
                var words = WORD.matcher(text).results().map(MatchResult::start).toList();
                int fromEnd = PROMPT_WORDS + REFERENCE_WORDS;
                int last = words.size() > fromEnd ? words.get(words.size() - fromEnd - 1) : -1;
                return new Passages(
                        document,
                        SENTENCE.matcher(text)
                                .results()
                                .map(MatchResult::end)
                                .filter(start -> start <= last)
                                .toList());
            }

            List<ProsePrompt> evenly(int count) {
                int taken = Math.min(count, starts.size());
                List<ProsePrompt> prompts = new ArrayList<>();
                for (int i = 1; i <= taken; i++) {
                    prompts.add(passage(starts.get(i * starts.size() / (taken + 1))));
                }
                return prompts;
            }

            private ProsePrompt passage(int start) {
                var ends =
                        WORD.matcher(document.text())
                                .region(start, document.text().length())
                                .results()
                                .limit(PROMPT_WORDS + REFERENCE_WORDS)
                                .map(MatchResult::end)
                                .toList();
                int cut = ends.get(PROMPT_WORDS - 1);
                return new ProsePrompt(
                        document.source() + "@" + start,
                        document.kind(),
                        document.text().substring(start, cut),
                        document.text().substring(cut, ends.getLast()));
            }
        }
    }
}
