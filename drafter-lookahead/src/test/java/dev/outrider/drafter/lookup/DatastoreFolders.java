package dev.outrider.drafter.lookup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;

/// Small datastores of given tokens.
public final class DatastoreFolders {
    private DatastoreFolders() {}

    /// Writes a datastore in chunks of 1024 tokens.
    public static void write(Path folder, int[] text, int separator, String tokenizer) {
        var writer = new DatastoreWriter(folder, 16, 1024);
        writer.add(text);
        writer.finish(tokenizer, separator, Map.of());
    }

    /// Deletes a datastore.
    public static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
