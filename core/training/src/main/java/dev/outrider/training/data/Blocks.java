package dev.outrider.training.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A file as blocks that can be read in any order; every document is in one of them. Thread-safe.
interface Blocks {
    /// Returns the number of blocks.
    int count();

    /// The documents of a block, in the order of the file.
    ///
    /// @param block counts from 0
    List<Document> read(int block) throws IOException;

    /// Reads the documents of several blocks, block by block in the given order.
    default List<List<Document>> read(List<Integer> blocks) throws IOException {
        var documents = new ArrayList<List<Document>>();
        for (int block : blocks) {
            documents.add(read(block));
        }
        return documents;
    }
}
