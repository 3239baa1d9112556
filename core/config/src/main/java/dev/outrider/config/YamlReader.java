package dev.outrider.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.outrider.common.Surrogates;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.StreamReader;

/// Reads one YAML document into a [YamlNode] tree with positions.
///
/// Refuses what configuration does not need and attackers use: anchors and aliases, tags, several
/// documents, nesting deeper than 64, more than 50,000 values. Not thread-safe; one object reads
/// one text.
final class YamlReader {
    static final int MAX_DEPTH = 64;
    static final int MAX_NODES = 50_000;

    private static final YAMLFactory FACTORY = new YAMLFactory();

    private final int[] codePoints;
    private final Positions positions;
    private final YAMLParser parser;
    private int nodes;

    /// Converts a line and a column, both from 1, to the origin of a value.
    @FunctionalInterface
    interface Positions {
        Origin at(int line, int column);
    }

    private YamlReader(String text, Positions positions) throws IOException {
        this.codePoints = text.codePoints().toArray();
        this.positions = positions;
        this.parser = FACTORY.createParser(text);
    }

    /// Read the only document of a text; an empty text is an empty mapping.
    ///
    /// @throws SyntaxException at the first thing that is not YAML, or is refused
    static YamlNode read(String text, Positions positions) throws SyntaxException {
        try {
            var reader =
                    new YamlReader(text.startsWith("\uFEFF") ? text.substring(1) : text, positions);
            try (reader.parser) {
                reader.checkCharacters();
                return reader.document();
            }
        } catch (JsonProcessingException e) {
            throw syntax(e, e.getLocation());
        } catch (YAMLException e) {
            throw syntax(e, null);
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }

    private void checkCharacters() throws SyntaxException {
        int line = 1;
        int column = 1;
        for (int codePoint : codePoints) {
            if (!StreamReader.isPrintable(codePoint)) {
                throw new SyntaxException(
                        "the character U+%04X is not allowed in YAML".formatted(codePoint),
                        line,
                        column);
            }
            line += codePoint == '\n' ? 1 : 0;
            column = codePoint == '\n' ? 1 : column + 1;
        }
    }

    private YamlNode document() throws IOException, SyntaxException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return new YamlNode.Mapping(List.of(), positions.at(1, 1));
        }
        YamlNode root = value(token, 0);
        if (parser.nextToken() != null) {
            throw refuse("a second document starts here; a configuration is one document");
        }
        return root;
    }

    private YamlNode value(@Nullable JsonToken token, int depth)
            throws IOException, SyntaxException {
        if (token == null) {
            throw refuse("the text ends where a value was expected");
        }
        checkRefusals();
        if (depth > MAX_DEPTH) {
            throw refuse("nested deeper than " + MAX_DEPTH + " levels");
        }
        if (++nodes > MAX_NODES) {
            throw refuse("more than " + MAX_NODES + " values");
        }
        Origin origin = here();
        if (token == JsonToken.START_OBJECT) {
            return mapping(origin, depth);
        }
        if (token == JsonToken.START_ARRAY) {
            return sequence(origin, depth);
        }
        return new YamlNode.Scalar(wellFormed(parser.getText()), quoted(), origin);
    }

    private YamlNode mapping(Origin origin, int depth) throws IOException, SyntaxException {
        List<YamlNode.Entry> entries = new ArrayList<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            checkRefusals();
            String key = wellFormed(parser.currentName());
            Origin keyOrigin = here();
            entries.add(new YamlNode.Entry(key, keyOrigin, value(parser.nextToken(), depth + 1)));
        }
        return new YamlNode.Mapping(entries, origin);
    }

    private YamlNode sequence(Origin origin, int depth) throws IOException, SyntaxException {
        List<YamlNode> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            items.add(value(token, depth + 1));
        }
        return new YamlNode.Sequence(items, origin);
    }

    /// Refuses half surrogate pairs: an escape such as `"\ud800"` can name one, but no file can
    /// contain it.
    private String wellFormed(String text) throws SyntaxException {
        if (Surrogates.anyIn(text)) {
            throw refuse("a text has half of a surrogate pair; write the whole character");
        }
        return text;
    }

    private void checkRefusals() throws IOException, SyntaxException {
        int first = firstCodePoint();
        boolean anchor = first == '&' || first == '*';
        if (anchor || parser.isCurrentAlias() || parser.getObjectId() != null) {
            throw refuse("anchors (&) and aliases (*) are not supported; write the value out");
        }
        if (first == '!' || parser.getTypeId() != null) {
            throw refuse("tags (!) are not supported; write the value without one");
        }
    }

    private boolean quoted() {
        int first = firstCodePoint();
        return first == '"' || first == '\'' || first == '|' || first == '>';
    }

    /// Returns the first code point of the current token: the parser itself does not tell quoted text from plain text.
    private int firstCodePoint() {
        long offset = parser.currentTokenLocation().getCharOffset();
        return offset < 0 || offset >= codePoints.length ? -1 : codePoints[(int) offset];
    }

    private Origin here() {
        JsonLocation location = parser.currentTokenLocation();
        return positions.at(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private SyntaxException refuse(String problem) {
        JsonLocation location = parser.currentTokenLocation();
        return new SyntaxException(
                problem, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private static SyntaxException syntax(Exception failure, @Nullable JsonLocation location) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MarkedYAMLException marked && marked.getProblem() != null) {
                Mark mark = marked.getProblemMark();
                return new SyntaxException(
                        oneLine(marked.getProblem()), mark.getLine() + 1, mark.getColumn() + 1);
            }
        }
        String message =
                failure instanceof JsonProcessingException json
                        ? json.getOriginalMessage()
                        : failure.getMessage();
        if (String.valueOf(message).startsWith("Expected a field name")) {
            message = "a key must be a single value, not a list or a mapping";
        }
        int line = location == null ? 1 : Math.max(1, location.getLineNr());
        int column = location == null ? 1 : Math.max(1, location.getColumnNr());
        return new SyntaxException(oneLine(String.valueOf(message)), line, column);
    }

    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", "; ");
    }

    /// A text that is not YAML, or uses a part of YAML that configuration refuses. Callers convert
    /// it to the user's error.
    static final class SyntaxException extends Exception {
        @Serial private static final long serialVersionUID = 1L;

        private final int line;
        private final int column;

        SyntaxException(String message, int line, int column) {
            super(message);
            this.line = line;
            this.column = column;
        }

        /// Returns the line of the problem, from 1.
        int line() {
            return line;
        }

        /// Returns the column of the problem, from 1.
        int column() {
            return column;
        }

        /// Returns what is wrong; never null.
        String problem() {
            return String.valueOf(getMessage());
        }
    }
}
