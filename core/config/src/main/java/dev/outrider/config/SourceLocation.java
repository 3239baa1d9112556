package dev.outrider.config;

/// Where in the configuration the binder is: the key path for messages and the origin to blame when something is missing.
///
/// @param path   such as `drafters[0].depth`; empty at the root
/// @param origin the key's position, or the value's where there is no key
public record SourceLocation(String path, Origin origin) {
    /// The place of a key of the mapping here.
    public SourceLocation key(String name, Origin keyOrigin) {
        return new SourceLocation(path.isEmpty() ? name : path + "." + name, keyOrigin);
    }

    /// The place of an item of the list here.
    public SourceLocation item(int index, Origin itemOrigin) {
        return new SourceLocation(path + "[" + index + "]", itemOrigin);
    }
}
