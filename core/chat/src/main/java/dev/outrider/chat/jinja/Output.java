package dev.outrider.chat.jinja;

/// Text under construction; every piece is charged before it is added. Confined to one thread.
final class Output {
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
