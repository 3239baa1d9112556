package dev.outrider.config;

/// The current position of the binder: the key path for messages, and the origin to report if
/// something is missing.
///
/// @param path   such as `drafters[0].depth`; empty at the root
/// @param origin the key's position, or the value's where there is no key
public record SourceLocation(String path, Origin origin) {
    /// Returns the position of a key of this mapping.
    public SourceLocation key(String name, Origin keyOrigin) {
        return new SourceLocation(path.isEmpty() ? name : path + "." + name, keyOrigin);
    }

    /// Returns the position of an item of this list.
    public SourceLocation item(int index, Origin itemOrigin) {
        return new SourceLocation(path + "[" + index + "]", itemOrigin);
    }
}
