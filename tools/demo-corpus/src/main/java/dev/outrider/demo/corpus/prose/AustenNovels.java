package dev.outrider.demo.corpus.prose;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Jane Austen's six novels from the R package janeaustenr: one vector of wrapped lines per novel,
/// the first line its title.
final class AustenNovels {
    private static final Path FILE = Path.of("usr/lib/R/site-library/janeaustenr/data/Rdata.rdb");
    private static final Pattern CHAPTER = Pattern.compile("(?i)chapter ([ivxl]+|\\d+)");
    private static final Pattern END = Pattern.compile("(?i)finis|the end|a note on the text");
    private static final Pattern NO_TEXT = Pattern.compile("VOLUME [IVX]+|[* ]+");

    private AustenNovels() {}

    /// @param janeaustenr the unpacked package
    static List<ProseCorpus.ProseDocument> read(Path janeaustenr) throws IOException {
        List<ProseCorpus.ProseDocument> chapters = new ArrayList<>();
        for (var novel : RCharacterVectors.read(janeaustenr.resolve(FILE))) {
            chapters.addAll(chapters(novel));
        }
        return chapters;
    }

    /// Returns the text from the first chapter's heading to the end, without headings.
    static List<ProseCorpus.ProseDocument> chapters(List<String> novel) {
        var title = novel.isEmpty() ? "" : novel.getFirst().toLowerCase(Locale.ROOT);
        List<List<String>> chapters = new ArrayList<>();
        for (var line : novel) {
            var stripped = line.strip();
            if (END.matcher(stripped).matches()) {
                break;
            }
            if (CHAPTER.matcher(stripped).matches()) {
                chapters.add(new ArrayList<>());
            } else if (!chapters.isEmpty()) {
                chapters.getLast().add(NO_TEXT.matcher(stripped).matches() ? "" : line);
            }
        }
        List<ProseCorpus.ProseDocument> documents = new ArrayList<>();
        for (int i = 0; i < chapters.size(); i++) {
            documents.add(
                    new ProseCorpus.ProseDocument(
                            ProseCorpus.ProseKind.NOVEL,
                            "janeaustenr/%s %d".formatted(title, i + 1),
                            PlainText.text(PlainText.paragraphs(chapters.get(i).stream()))));
        }
        return documents;
    }
}
