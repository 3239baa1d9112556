package dev.outrider.experiment.report.column;

import dev.outrider.experiment.stats.SideResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `summary.json`: an object for each side, plain decoding included, with every column by its key. A point in a key is an object in an object.
public final class Summary {
    private Summary() {}

    /// The objects of some sides.
    public static List<Map<String, Object>> of(List<SideResult> sides) {
        return sides.stream().map(Summary::of).toList();
    }

    private static Map<String, Object> of(SideResult side) {
        var object = new LinkedHashMap<String, Object>();
        for (Column<SideResult> column : SideColumns.ALL) {
            put(object, column.term().key(), column.value().apply(side).exact());
        }
        return object;
    }

    @SuppressWarnings("unchecked") // an object below a point is one that was put there
    private static void put(Map<String, Object> object, String key, Object value) {
        int point = key.indexOf('.');
        if (point < 0) {
            object.put(key, value);
            return;
        }
        var below =
                (Map<String, Object>)
                        object.computeIfAbsent(
                                key.substring(0, point), _ -> new LinkedHashMap<String, Object>());
        put(below, key.substring(point + 1), value);
    }
}
