package dev.outrider.demo.corpus.prose;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The King James Version from the package bible-kjv-text, one verse per line: `Ge1:1 In the
/// beginning ...`.
final class KingJamesBible {
    private static final Path FILE = Path.of("usr/lib/bible.data");
    private static final Pattern VERSE = Pattern.compile("(\\d?[A-Za-z]+\\d+):\\d+ (.*)");

    private KingJamesBible() {}

    /// @param kingJames the unpacked package
    static List<ProseCorpus.ProseDocument> read(Path kingJames) throws IOException {
        return chapters(CompressedWindows.read(kingJames.resolve(FILE)));
    }

    /// Returns chapters, without the numbers of verses.
    static List<ProseCorpus.ProseDocument> chapters(String lines) {
        Map<String, List<String>> chapters = new LinkedHashMap<>();
        lines.lines()
                .map(VERSE::matcher)
                .filter(verse -> verse.matches())
                .forEach(verse ->
                        chapters.computeIfAbsent(verse.group(1), chapter -> new ArrayList<>())
                                .add(PlainText.paragraph(verse.group(2))));
        return chapters.entrySet().stream()
                .map(chapter ->
                        new ProseCorpus.ProseDocument(
                                ProseCorpus.ProseKind.SCRIPTURE,
                                "bible-kjv-text/" + chapter.getKey(),
                                String.join("\n", chapter.getValue())))
                .toList();
    }
}
