package dev.outrider.hub;

/// A file of a commit, as the hub describes it.
///
/// @param name its path in the model's folder
/// @param size bytes
/// @param hash of its content
record RemoteFile(String name, long size, ContentHash hash) {}
