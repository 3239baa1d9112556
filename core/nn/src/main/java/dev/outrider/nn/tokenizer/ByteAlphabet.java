package dev.outrider.nn.tokenizer;

/// The printable stand-ins of byte-level BPE: every byte is written as one visible character, so that
/// vocabularies are plain text.
///
/// @see "Radford et al. 2019 (GPT-2), section 2.2"
final class ByteAlphabet {
    private static final char[] CHARACTER_OF = new char[256];

    static {
        char next = 256;
        for (int value = 0; value < 256; value++) {
            CHARACTER_OF[value] = printable(value) ? (char) value : next++;
        }
    }

    private ByteAlphabet() {}

    /// The character that stands for a byte, `0 <= value < 256`.
    static char characterOf(int value) {
        return CHARACTER_OF[value];
    }

    private static boolean printable(int value) {
        return (value >= '!' && value <= '~')
                || (value >= 0xA1 && value <= 0xAC)
                || (value >= 0xAE && value <= 0xFF);
    }
}
