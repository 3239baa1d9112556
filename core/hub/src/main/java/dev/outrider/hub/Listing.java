package dev.outrider.hub;

import java.util.Set;

/// The commit of a revision and its files.
///
/// @param commit the commit
/// @param files  paths in the model's folder, all of which stay inside any folder
record Listing(String commit, Set<String> files) {
    Listing {
        files = Set.copyOf(files);
    }
}
