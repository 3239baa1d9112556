package dev.outrider.drafting;

import java.util.List;

/// A node of a growing tree and what the plan has below it.
record Place(int node, RankTemplate template) {
    /// The first places, as many as the plan needs to use up `nodesLeft`.
    static List<Place> affordable(List<Place> places, int nodesLeft) {
        int planned = 0;
        for (int i = 0; i < places.size(); i++) {
            if (planned >= nodesLeft) {
                return places.subList(0, i);
            }
            planned += places.get(i).template().children().size();
        }
        return places;
    }
}
