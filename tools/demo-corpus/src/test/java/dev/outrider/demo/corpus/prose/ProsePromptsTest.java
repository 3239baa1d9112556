package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProsePromptsTest {
    private static final int PROMPT_WORDS = 48;
    private static final int REFERENCE_WORDS = 80;

    @Test
    void aPromptIsAPassageOfItsDocumentThatBeginsWithASentence() {
        var document = document("a", 60);
        var prompts = ProseFiles.ProsePrompts.of(List.of(document), 4);

        assertThat(prompts).hasSize(4);
        assertThat(prompts)
                .extracting(ProseFiles.ProsePrompts.ProsePrompt::id)
                .doesNotHaveDuplicates();
        assertThat(prompts)
                .allSatisfy(prompt -> {
                    assertThat(prompt.prompt()).startsWith("Sentence ").doesNotEndWith(" ");
                    assertThat(prompt.reference()).startsWith(" ");
                    assertThat(words(prompt.prompt())).isEqualTo(PROMPT_WORDS);
                    assertThat(words(prompt.reference())).isEqualTo(REFERENCE_WORDS);
                    int start =
                            Integer.parseInt(prompt.id().substring(prompt.id().indexOf('@') + 1));
                    assertThat(document.text().substring(start))
                            .startsWith(prompt.prompt() + prompt.reference());
                });
    }

    @Test
    void documentsShareThePromptsEvenly() {
        var documents = IntStream.range(0, 3).mapToObj(i -> document("d" + i, 100)).toList();

        assertThat(perDocument(ProseFiles.ProsePrompts.of(documents, 8)))
                .isEqualTo(Map.of("d0", 2L, "d1", 3L, "d2", 3L));
        assertThat(perDocument(ProseFiles.ProsePrompts.of(documents, 2)))
                .isEqualTo(Map.of("d1", 1L, "d2", 1L));
    }

    @Test
    void aDocumentTooShortForAPassageGivesNone() {
        assertThat(
                        ProseFiles.ProsePrompts.of(
                                List.of(document("short", 10), document("long", 100)), 2))
                .extracting(prompt -> prompt.id().substring(0, prompt.id().indexOf('@')))
                .containsOnly("long");
    }

    private static Map<String, Long> perDocument(
            List<ProseFiles.ProsePrompts.ProsePrompt> prompts) {
        return prompts.stream()
                .collect(
                        Collectors.groupingBy(
                                prompt -> prompt.id().substring(0, prompt.id().indexOf('@')),
                                Collectors.counting()));
    }

    private static int words(String text) {
        return text.strip().split("\\s+").length;
    }

    private static ProseCorpus.ProseDocument document(String source, int sentences) {
        return new ProseCorpus.ProseDocument(
                ProseCorpus.ProseKind.NOVEL,
                source,
                IntStream.range(0, sentences)
                        .mapToObj(i -> "Sentence %d has six words.".formatted(i))
                        .collect(Collectors.joining(" ")));
    }
}
