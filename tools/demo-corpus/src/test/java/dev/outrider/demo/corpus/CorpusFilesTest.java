package dev.outrider.demo.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusFilesTest {
    private final CorpusGenerator corpus = new CorpusGenerator(1);

    @Test
    void everyPromptIsHeldOutAndOfAWantedKind() {
        var kinds = List.of(TaskKind.SUMMARY, TaskKind.CODE);
        var prompts = corpus.heldOut(kinds, 12);
        assertThat(prompts).hasSize(24);
        assertThat(prompts)
                .allMatch(document -> CorpusGenerator.splitOf(document.prompt()) == Split.TEST);
        assertThat(prompts.subList(0, 12)).allMatch(document -> document.kind().equals("summary"));
        assertThat(prompts).extracting(Document::prompt).doesNotHaveDuplicates();
    }

    @Test
    void aPromptFileHasOneObjectALineWithTheCorpusContinuationAsReference(@TempDir Path folder)
            throws IOException {
        var file = folder.resolve("prompts/story.jsonl");
        var prompts = corpus.heldOut(List.of(TaskKind.STORY), 3);
        CorpusFiles.writeHeldOut(file, "prompt", prompts.stream());
        CorpusFiles.writeHeldOut(file, "prompt", prompts.stream());
        var lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        for (int i = 0; i < 3; i++) {
            var json = new ObjectMapper().readTree(lines.get(i));
            assertThat(json.get("id").asText()).isEqualTo(prompts.get(i).id());
            assertThat(json.get("kind").asText()).isEqualTo("story");
            assertThat(json.get("prompt").asText()).isEqualTo(prompts.get(i).prompt());
            assertThat(json.get("reference").asText()).isEqualTo(prompts.get(i).continuation());
        }
        try (var files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }
}
