package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProseCorpusTest {
    @TempDir private Path folder;

    @Test
    void everyPackageIsReadAndCleaned() throws IOException {
        Packages.write(folder);
        var corpus = ProseCorpus.read(folder);

        List<ProseCorpus.ProseDocument> documents = new ArrayList<>(corpus.training());
        documents.addAll(corpus.heldOut());
        assertThat(documents)
                .containsExactlyInAnyOrder(
                        novel("moby-dick/chapter_2", "I stuffed a shirt."),
                        novel("moby-dick/chapter_10", "Returning to the Spouter-Inn--alone."),
                        novel("janeaustenr/emma 1", "Emma Woodhouse, handsome."),
                        new ProseCorpus.ProseDocument(
                                ProseCorpus.ProseKind.SPEECH,
                                "sotu/1861_abraham_lincoln_r",
                                "Fellow-Citizens: In the midst of \"unprecedented\" troubles."),
                        new ProseCorpus.ProseDocument(
                                ProseCorpus.ProseKind.SCRIPTURE,
                                "bible-kjv-text/Ge1",
                                "In the beginning.\nAnd the earth was."),
                        new ProseCorpus.ProseDocument(
                                ProseCorpus.ProseKind.SCRIPTURE, "bible-kjv-text/Ge2", "Thus."));
    }

    @Test
    void chaptersComeInTheOrderOfTheirNumbers() throws IOException {
        Packages.write(folder);

        assertThat(ProsePackages.mobyDick(folder.resolve("moby-dick")))
                .extracting(ProseCorpus.ProseDocument::source)
                .containsExactly("moby-dick/chapter_2", "moby-dick/chapter_10");
    }

    @Test
    void aMissingPackageIsNamed() throws IOException {
        Packages.write(folder);
        Files.delete(folder.resolve("bible-kjv-text/usr/lib/bible.data"));

        assertThatThrownBy(() -> ProseCorpus.read(folder))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("bible.data");
    }

    @Test
    void aPackageWithoutTextsIsRefused() throws IOException {
        Packages.write(folder);
        Files.delete(folder.resolve("sotu/package/data/1861_abraham_lincoln_r.txt"));

        assertThatThrownBy(() -> ProseCorpus.read(folder))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("it has no files named like");
    }

    @Test
    void aboutOneDocumentInTwentyIsHeldOutWhateverTheOthersAre() {
        var documents = IntStream.range(0, 2000).mapToObj(ProseCorpusTest::chapter).toList();
        var corpus = new ProseCorpus(documents);
        var half = new ProseCorpus(documents.subList(0, 1000));

        assertThat(corpus.heldOut()).hasSizeBetween(70, 130);
        assertThat(corpus.training()).hasSize(2000 - corpus.heldOut().size());
        assertThat(corpus.training()).doesNotContainAnyElementsOf(corpus.heldOut());
        assertThat(corpus.heldOut()).containsAll(half.heldOut());
    }

    @Test
    void filesHaveOneObjectALineAndSayWhereItsTextIsFrom() throws IOException {
        var documents = IntStream.range(0, 100).mapToObj(ProseCorpusTest::chapter).toList();
        var corpus = new ProseCorpus(documents);
        var written = ProseFiles.write(corpus, folder.resolve("out"), 3);

        assertThat(written)
                .containsEntry(folder.resolve("out/novel.jsonl"), corpus.training().size())
                .containsEntry(folder.resolve("out/held-out-novel.jsonl"), corpus.heldOut().size())
                .containsEntry(folder.resolve("out/speech.jsonl"), 0);
        var line =
                new ObjectMapper()
                        .readTree(Files.readAllLines(folder.resolve("out/novel.jsonl")).getFirst());
        var first = corpus.training().getFirst();
        assertThat(line.path("kind").asText()).isEqualTo("novel");
        assertThat(line.path("source").asText()).isEqualTo(first.source());
        assertThat(line.path("licence").asText()).isEqualTo("public domain");
        assertThat(line.path("text").asText()).isEqualTo(first.text());
    }

    private static ProseCorpus.ProseDocument chapter(int number) {
        return novel("novel/" + number, "It was " + number + ".");
    }

    private static ProseCorpus.ProseDocument novel(String source, String text) {
        return new ProseCorpus.ProseDocument(ProseCorpus.ProseKind.NOVEL, source, text);
    }
}
