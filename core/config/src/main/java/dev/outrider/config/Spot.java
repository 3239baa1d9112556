package dev.outrider.config;

/// Where in the configuration the binder is: the key path for messages and the origin to blame when something is missing.
///
/// @param path   such as `drafters[0].depth`; empty at the root
/// @param origin the key's position, or the value's where there is no key
record Spot(String path, Origin origin) {
    Spot key(String name, Origin keyOrigin) {
        return new Spot(path.isEmpty() ? name : path + "." + name, keyOrigin);
    }

    Spot item(int index, Origin itemOrigin) {
        return new Spot(path + "[" + index + "]", itemOrigin);
    }
}
