package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProsePackagesTest {
    @Test
    void chaptersAreNumberedThroughVolumesAndKeepOnlyTheirText() {
        var novel =
                List.of(
                        "EMMA",
                        "By Jane Austen",
                        "VOLUME I",
                        "CHAPTER I",
                        "",
                        "Emma Woodhouse, handsome,  clever,",
                        "and _rich_.",
                        "",
                        "   * * * * *",
                        "",
                        "She was the youngest.",
                        "VOLUME II",
                        "Chapter 1",
                        "Human nature is so well disposed.",
                        "FINIS",
                        "A colophon");

        assertThat(ProsePackages.novelChapters(novel))
                .extracting(ProseCorpus.ProseDocument::source, ProseCorpus.ProseDocument::text)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "janeaustenr/emma 1",
                                "Emma Woodhouse, handsome, clever, and rich.\n\nShe was the youngest."),
                        org.assertj.core.groups.Tuple.tuple(
                                "janeaustenr/emma 2", "Human nature is so well disposed."));
    }

    @Test
    void aNovelWithoutChaptersHasNoDocuments() {
        assertThat(ProsePackages.novelChapters(List.of())).isEmpty();
        assertThat(ProsePackages.novelChapters(List.of("EMMA", "A chapter is not a heading")))
                .isEmpty();
    }
}
