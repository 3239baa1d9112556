package dev.outrider.drafting;

import java.util.List;

/// A node of a growing tree and what the plan has below it.
record FrontierNode(int node, TreeTemplate template) {
    /// The first nodes, as many as the plan needs to use up `nodesLeft`.
    static List<FrontierNode> affordable(List<FrontierNode> nodes, int nodesLeft) {
        int planned = 0;
        for (int i = 0; i < nodes.size(); i++) {
            if (planned >= nodesLeft) {
                return nodes.subList(0, i);
            }
            planned += nodes.get(i).template().children().size();
        }
        return nodes;
    }
}
