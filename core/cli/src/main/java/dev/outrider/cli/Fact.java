package dev.outrider.cli;

/// Something that is known of a model.
///
/// @param key   what it is called in JSON, and for people
/// @param value as JSON has it
/// @param words as people read it
record Fact(String key, Object value, String words) {
    static Fact of(String key, Object value) {
        return new Fact(key, value, String.valueOf(value));
    }
}
