package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pieces and their ids: every piece has one id, and every id one piece at most.
final class Vocabulary {
    /// Ids above this are taken for damage; the largest vocabularies in use have under 300 000 pieces.
    private static final int LARGEST_ID = 16_777_215;

    private final Part file;
    private final Map<Integer, String> pieces = new HashMap<>();
    private final Map<String, Integer> ids = new HashMap<>();

    Vocabulary(Part file) {
        this.file = file;
    }

    void add(JsonNode id, String piece) {
        if (!id.isInt() || id.intValue() < 0 || id.intValue() > LARGEST_ID) {
            throw file.refused(
                    "gives the piece '%s' the id %s; expected an integer from 0 to %d"
                            .formatted(piece, id.isMissingNode() ? "(none)" : id, LARGEST_ID));
        }
        add(id.intValue(), piece);
    }

    void add(int id, String piece) {
        var other = pieces.putIfAbsent(id, piece);
        if (other != null && !other.equals(piece)) {
            throw file.refused("gives both '%s' and '%s' the id %d".formatted(other, piece, id));
        }
        var before = ids.putIfAbsent(piece, id);
        if (before != null && before != id) {
            throw file.refused(
                    "gives the piece '%s' the ids %d and %d".formatted(piece, before, id));
        }
    }

    Optional<Integer> id(String piece) {
        return Optional.ofNullable(ids.get(piece));
    }

    boolean is(int id, String piece) {
        return piece.equals(pieces.get(id));
    }

    int size() {
        return pieces.size();
    }

    /// Spelling by id; ids that are left out have an empty one.
    List<Optional<String>> byId() {
        int size = pieces.keySet().stream().mapToInt(id -> id).max().orElse(-1) + 1;
        var dense = new ArrayList<Optional<String>>(size);
        for (int id = 0; id < size; id++) {
            dense.add(Optional.ofNullable(pieces.get(id)));
        }
        return dense;
    }
}
