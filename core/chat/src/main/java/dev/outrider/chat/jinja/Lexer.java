package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.TokenCursor.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Divides a template into tokens and applies whitespace control: the first newline after a block
/// or comment is dropped, and so are blanks between the beginning of a line and a block or comment;
/// `-` beside a tag drops all whitespace there, and `+` keeps it.
///
/// @see "Jinja documentation, whitespace control, with trim_blocks and lstrip_blocks"
final class Lexer {
    private static final Pattern TAG = Pattern.compile("\\{[{%#]");
    private static final Pattern RAW = Pattern.compile("\\{%[-+]?\\s*raw\\s*-?%\\}");
    private static final Pattern END_RAW = Pattern.compile("\\{%([-+]?)\\s*endraw\\s*([-+]?)%\\}");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*");
    private static final Pattern NUMBER =
            Pattern.compile("\\d+(?:_\\d+)*(\\.\\d+)?([eE][-+]?\\d+)?");
    private static final Pattern OPERATOR =
            Pattern.compile("\\*\\*|//|==|!=|<=|>=|[-+*/%~<>=.,:|()\\[\\]{}]");

    private final String source;
    private final Matcher raws;
    private final Matcher spaces;
    private final Matcher names;
    private final Matcher numbers;
    private final Matcher operators;
    private final List<Token> tokens = new ArrayList<>();
    private int position;
    private int line = 1;

    private Lexer(String source) {
        this.source = source;
        raws = RAW.matcher(source);
        spaces = SPACE.matcher(source);
        names = NAME.matcher(source);
        numbers = NUMBER.matcher(source);
        operators = OPERATOR.matcher(source);
    }

    static List<Token> tokens(String template) {
        var source = template.replace("\r\n", "\n").replace('\r', '\n');
        // The last newline of the file is not part of the template.
        return new Lexer(source.endsWith("\n") ? source.substring(0, source.length() - 1) : source)
                .run();
    }

    private List<Token> run() {
        var tag = TAG.matcher(source);
        while (tag.find(position)) {
            char kind = source.charAt(tag.start() + 1);
            char control = charAt(tag.start() + 2);
            addText(textBefore(position, tag.start(), kind, control));
            advance(tag.start());
            if (kind == '#') {
                skipComment(tag.start());
            } else if (kind == '%' && at(raws, position).lookingAt()) {
                addRaw();
            } else {
                addTag(tag.start(), kind, control);
            }
        }
        addText(source.substring(position));
        add(Token.Kind.END, "");
        return tokens;
    }

    /// Returns the text before a tag, without the whitespace that the tag drops.
    private String textBefore(int from, int to, char kind, char control) {
        var text = source.substring(from, to);
        if (control == '-') {
            return text.stripTrailing();
        }
        if (kind == '{' || control == '+') {
            return text;
        }
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == ' ' || text.charAt(end - 1) == '\t')) {
            end--;
        }
        boolean lineStart =
                end > 0
                        ? text.charAt(end - 1) == '\n'
                        : from == 0 || source.charAt(from - 1) == '\n';
        return lineStart ? text.substring(0, end) : text;
    }

    private void skipComment(int start) {
        int end = source.indexOf("#}", start + 2);
        if (end < 0) {
            throw new TemplateException(line, "a comment is not closed");
        }
        advance(end + 2);
        skipSpaceAfter(source.charAt(end - 1), true);
    }

    private void addRaw() {
        var raw = at(raws, position);
        var unused = raw.lookingAt();
        var end = END_RAW.matcher(source);
        if (!end.find(raw.end())) {
            throw new TemplateException(line, "raw is not closed");
        }
        advance(raw.end());
        skipSpaceAfter(source.charAt(raw.end() - 3), true);
        var control = end.group(1).isEmpty() ? ' ' : end.group(1).charAt(0);
        addText(position < end.start() ? textBefore(position, end.start(), '%', control) : "");
        advance(end.end());
        skipSpaceAfter(end.group(2).isEmpty() ? ' ' : end.group(2).charAt(0), true);
    }

    private void addTag(int start, char kind, char control) {
        boolean block = kind == '%';
        add(block ? Token.Kind.BLOCK_BEGIN : Token.Kind.OUTPUT_BEGIN, "");
        advance(start + (control == '-' || control == '+' ? 3 : 2));
        int depth = 0;
        while (true) {
            var space = at(spaces, position);
            if (space.lookingAt()) {
                advance(space.end());
            }
            var close = block ? "%}" : "}}";
            if (depth == 0) {
                char sign = charAt(position);
                boolean signed =
                        (sign == '-' || sign == '+') && source.startsWith(close, position + 1);
                if (signed || source.startsWith(close, position)) {
                    add(block ? Token.Kind.BLOCK_END : Token.Kind.OUTPUT_END, "");
                    advance(position + (signed ? 3 : 2));
                    skipSpaceAfter(signed ? sign : ' ', block);
                    return;
                }
            }
            depth += addExpressionToken();
        }
    }

    /// @return the change of bracket depth by the token
    private int addExpressionToken() {
        if (position >= source.length()) {
            throw new TemplateException(line, "a tag is not closed");
        }
        var name = at(names, position);
        if (name.lookingAt()) {
            add(Token.Kind.NAME, name.group());
            advance(name.end());
            return 0;
        }
        var number = at(numbers, position);
        if (number.lookingAt()) {
            boolean real = number.group(1) != null || number.group(2) != null;
            add(real ? Token.Kind.REAL : Token.Kind.INTEGER, number.group().replace("_", ""));
            advance(number.end());
            return 0;
        }
        if (charAt(position) == '\'' || charAt(position) == '"') {
            addString();
            return 0;
        }
        var operator = at(operators, position);
        if (!operator.lookingAt()) {
            throw new TemplateException(
                    line, "unexpected character '%s'".formatted(source.charAt(position)));
        }
        add(Token.Kind.OPERATOR, operator.group());
        advance(operator.end());
        return switch (operator.group()) {
            case "(", "[", "{" -> 1;
            case ")", "]", "}" -> -1;
            default -> 0;
        };
    }

    private void addString() {
        char quote = source.charAt(position);
        int end = position + 1;
        while (charAt(end) != quote) {
            end += charAt(end) == '\\' ? 2 : 1;
            if (end >= source.length()) {
                throw new TemplateException(line, "a string is not closed");
            }
        }
        add(Token.Kind.STRING, Escapes.resolve(source.substring(position + 1, end)));
        advance(end + 1);
    }

    private void skipSpaceAfter(char control, boolean dropNewline) {
        if (control == '-') {
            var space = at(spaces, position);
            if (space.lookingAt()) {
                advance(space.end());
            }
        } else if (control != '+' && dropNewline && charAt(position) == '\n') {
            advance(position + 1);
        }
    }

    private Matcher at(Matcher matcher, int start) {
        return matcher.region(start, source.length());
    }

    private char charAt(int index) {
        return index < source.length() ? source.charAt(index) : 0;
    }

    private void addText(String text) {
        if (!text.isEmpty()) {
            add(Token.Kind.TEXT, text);
        }
    }

    private void add(Token.Kind kind, String text) {
        tokens.add(new Token(kind, text, line));
    }

    /// Moves the position to `to` and counts lines.
    private void advance(int to) {
        for (int i = position; i < to; i++) {
            if (source.charAt(i) == '\n') {
                line++;
            }
        }
        position = to;
    }

    /// Escape sequences in string constants.
    static final class Escapes {
        private Escapes() {}

        static String resolve(String text) {
            var result = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c != '\\' || i + 1 == text.length()) {
                    result.append(c);
                    continue;
                }
                char escape = text.charAt(++i);
                switch (escape) {
                    case 'n' -> result.append('\n');
                    case 't' -> result.append('\t');
                    case 'r' -> result.append('\r');
                    case 'b' -> result.append('\b');
                    case 'f' -> result.append('\f');
                    case '0' -> result.append('\0');
                    case '\\', '\'', '"' -> result.append(escape);
                    case 'x' -> i = hexadecimal(text, i, 2, result);
                    case 'u' -> i = hexadecimal(text, i, 4, result);
                    case 'U' -> i = hexadecimal(text, i, 8, result);
                    default -> result.append('\\').append(escape);
                }
            }
            return result.toString();
        }

        /// @return the index of the last digit that was read
        private static int hexadecimal(String text, int letter, int digits, StringBuilder result) {
            int end = letter + 1 + digits;
            try {
                var point = Integer.parseInt(text, letter + 1, Math.min(end, text.length()), 16);
                if (end > text.length() || !Character.isValidCodePoint(point)) {
                    throw new TemplateException("a string has an escape that is no character");
                }
                result.appendCodePoint(point);
                return end - 1;
            } catch (NumberFormatException e) {
                throw new TemplateException("a string has an escape that is no character");
            }
        }
    }
}
