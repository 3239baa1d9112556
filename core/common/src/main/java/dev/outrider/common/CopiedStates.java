package dev.outrider.common;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Copies of the hidden states of a prompt that is read in parts. One thread at a time adds and closes; others may
/// read earlier parts meanwhile if the arena is shared.
public final class CopiedStates implements HiddenStates {
    private final Arena arena;
    private final Map<HiddenState, List<MemorySegment>> rows = new HashMap<>();
    private int size;

    /// @param wanted states that are copied
    /// @param arena  of the copies, which is closed with them
    public CopiedStates(Set<HiddenState> wanted, Arena arena) {
        this.arena = arena;
        wanted.forEach(each -> rows.put(each, Collections.synchronizedList(new ArrayList<>())));
    }

    /// Adds the states of the next part.
    public void add(HiddenStates part) {
        rows.forEach((which, kept) -> {
            for (int index = 0; index < part.size(); index++) {
                var row = part.hidden(which, index);
                kept.add(arena.allocate(row.byteSize(), Float.BYTES).copyFrom(row));
            }
        });
        size += part.size();
    }

    @Override
    public int size() {
        return rows.isEmpty() ? 0 : size;
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        var kept = rows.get(which);
        if (kept == null) {
            throw new IllegalArgumentException("%s was not asked for".formatted(which));
        }
        return kept.get(index);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
