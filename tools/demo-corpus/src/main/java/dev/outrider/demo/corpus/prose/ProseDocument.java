package dev.outrider.demo.corpus.prose;

/// One chapter or speech.
///
/// @param kind   its kind
/// @param source the package and the part of it, such as `moby-dick/chapter_1`; unique
/// @param text   cleaned; paragraphs are separated by an empty line, verses by a line feed; not
///     empty
public record ProseDocument(ProseKind kind, String source, String text) {
    public ProseDocument {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the document %s has no text".formatted(source));
        }
    }
}
