package dev.outrider.hub;

/// What says to the hub who asks. Never shown: whoever prints it sees that there is one.
///
/// @param secret the text to send
record Token(String secret) {
    Token {
        if (secret.isEmpty() || !secret.chars().allMatch(each -> each > ' ' && each < 0x7F)) {
            throw new IllegalArgumentException("a token is one word of printable ASCII characters");
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
