package dev.outrider.chat.jinja;

import dev.outrider.chat.jinja.Value.Int;
import dev.outrider.chat.jinja.Value.Mapping;
import dev.outrider.chat.jinja.Value.None;
import dev.outrider.chat.jinja.Value.Real;
import dev.outrider.chat.jinja.Value.Sequence;
import dev.outrider.chat.jinja.Value.Text;
import dev.outrider.chat.jinja.Value.Truth;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/// Converts values to text: like Python's `str` and `repr`, and to JSON like Python's `json.dumps`.
record Printing(Output out, boolean json, int indent) {
    /// Cost of finding the shortest digits of a number, in characters read.
    private static final int LOOKS_OF_A_REAL = 100;

    static String str(Value value, Budget budget) {
        if (value instanceof Text(String text)) {
            return text;
        }
        var out = new Output(budget);
        str(value, out);
        return out.toString();
    }

    /// Writes a value as `{{ … }}` does.
    static void str(Value value, Output out) {
        if (value instanceof Text(String text)) {
            out.add(text);
        } else {
            new Printing(out, false, -1).write(value, 0);
        }
    }

    /// @param indent spaces per level; negative for one line
    static Value json(Value value, int indent, Budget budget) {
        var out = new Output(budget);
        new Printing(out, true, indent).write(value, 0);
        return out.toText();
    }

    private void write(Value value, int level) {
        switch (value) {
            case Text(String text) -> quoted(text);
            case Int(long number) -> out.add(Long.toString(number));
            case Real(double number) -> real(number);
            case Truth(boolean truth) -> {
                var name = String.valueOf(truth);
                out.add(json ? name : truth ? "True" : "False");
            }
            case None() -> out.add(json ? "null" : "None");
            case Sequence(List<Value> elements) -> {
                begin('[');
                for (int i = 0; i < elements.size(); i++) {
                    separate(i, level);
                    write(elements.get(i), level + 1);
                }
                end(']', elements.isEmpty(), level);
            }
            case Mapping(Map<Value, Value> entries) -> {
                begin('{');
                int i = 0;
                for (var entry : entries.entrySet()) {
                    separate(i++, level);
                    write(
                            json ? new Text(str(entry.getKey(), out.budget())) : entry.getKey(),
                            level + 1);
                    out.add(": ");
                    write(entry.getValue(), level + 1);
                }
                end('}', entries.isEmpty(), level);
            }
            case Value.Undefined _, Value.Function _, Value.Namespace _ -> other(value);
        }
    }

    private void other(Value value) {
        if (json) {
            throw Values.wrongKind(value, "something that JSON can say");
        }
        if (value instanceof Value.Function(String name, var _)) {
            out.add("<function ").add(name).add(">");
        } else if (value instanceof Value.Namespace) {
            out.add("<Namespace>");
        }
    }

    private void begin(char bracket) {
        out.budget().enter();
        out.add(bracket);
    }

    private void separate(int index, int level) {
        if (index > 0) {
            out.add(indent < 0 ? ", " : ",");
        }
        newline(level + 1);
    }

    private void end(char bracket, boolean empty, int level) {
        if (!empty) {
            newline(level);
        }
        out.add(bracket);
        out.budget().leave();
    }

    private void newline(int level) {
        if (indent >= 0) {
            out.add('\n');
            for (int i = 0; i < level; i++) {
                out.add(" ".repeat(indent));
            }
        }
    }

    private void quoted(String text) {
        boolean single = !json && (text.indexOf('\'') < 0 || text.indexOf('"') >= 0);
        char quote = single ? '\'' : '"';
        out.add(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int letter = (json ? "\n\r\t\b\f" : "\n\r\t").indexOf(c);
            if (letter >= 0) {
                out.add('\\').add("nrtbf".charAt(letter));
            } else if (c == quote || c == '\\') {
                out.add('\\').add(c);
            } else if (c < 0x20 || c == 0x7F && !json) {
                out.add(json ? "\\u" : "\\x").addHexadecimal(c, json ? 4 : 2);
            } else {
                out.add(c);
            }
        }
        out.add(quote);
    }

    /// Writes the shortest digits that give the number back, with an exponent outside `[1e-4,
    /// 1e16)`.
    private void real(double number) {
        out.budget().work(LOOKS_OF_A_REAL);
        if (Double.isNaN(number)) {
            out.add("nan");
        } else if (Double.isInfinite(number)) {
            out.add(number > 0 ? "inf" : "-inf");
        } else if (number != 0 && (Math.abs(number) < 1e-4 || Math.abs(number) >= 1e16)) {
            var digits = Double.toString(number);
            int letter = digits.indexOf('E');
            int exponent = Integer.parseInt(digits, letter + 1, digits.length(), 10);
            out.add(digits, 0, digits.startsWith(".0", letter - 2) ? letter - 2 : letter)
                    .add(exponent < 0 ? "e-" : "e+")
                    .add(Math.abs(exponent) < 10 ? "0" : "")
                    .add(Integer.toString(Math.abs(exponent)));
        } else {
            var plain = new BigDecimal(Double.toString(number)).toPlainString();
            out.add(plain).add(plain.indexOf('.') < 0 ? ".0" : "");
        }
    }

    /// Text under construction; every piece is charged before it is added. Confined to one thread.
    static final class Output {
        private final StringBuilder text = new StringBuilder();
        private final Budget budget;

        Output(Budget budget) {
            this.budget = budget;
        }

        Budget budget() {
            return budget;
        }

        Output add(String piece) {
            return add(piece, 0, piece.length());
        }

        /// Adds the characters from `from` (inclusive) to `to` (exclusive).
        Output add(String piece, int from, int to) {
            budget.write(text.length(), to - from);
            text.append(piece, from, to);
            return this;
        }

        Output add(char c) {
            budget.write(text.length(), 1);
            text.append(c);
            return this;
        }

        Output addPoint(int point) {
            budget.write(text.length(), Character.charCount(point));
            text.appendCodePoint(point);
            return this;
        }

        Output addHexadecimal(int value, int digits) {
            for (int digit = digits - 1; digit >= 0; digit--) {
                add(Character.forDigit(value >> 4 * digit & 0xF, 16));
            }
            return this;
        }

        /// Returns the written text as a value.
        Value.Text toText() {
            return budget.text(text.toString());
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
