package dev.outrider.demo.corpus.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Takes prompts from documents: passages that begin with a sentence, spread evenly over the
/// documents and inside each document.
final class ProsePrompts {
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
    record ProsePrompt(String id, ProseCorpus.ProseKind kind, String prompt, String reference) {}

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
