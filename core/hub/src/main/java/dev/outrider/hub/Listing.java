package dev.outrider.hub;

import java.util.Set;

/// What a revision is, and which files it has.
///
/// @param commit the commit
/// @param files  paths in the model's folder, all of which stay inside whatever folder they are put into
record Listing(String commit, Set<String> files) {
    Listing {
        files = Set.copyOf(files);
    }
}
