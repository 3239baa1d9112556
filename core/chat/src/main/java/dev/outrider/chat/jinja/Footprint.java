package dev.outrider.chat.jinja;

/// Approximate heap sizes in bytes, with the copies that are made during an operation.
final class Footprint {
    static final int TEXT = 64;
    static final int CHARACTER = 2;
    static final int LIST = 64;
    static final int ELEMENT = 16;

    /// An element that is a text of one character.
    static final int LETTER = 88;

    static final int NUMBER = 24;
    static final int MAPPING = 192;
    static final int ENTRY = 112;

    /// A list of a key and its value.
    static final int PAIR = 96;

    static final int FUNCTION = 64;
    static final int SCOPE = 256;
    static final int VARIABLE = 64;

    /// The loop variable of one iteration.
    static final int ROUND = 192;

    private Footprint() {}
}
