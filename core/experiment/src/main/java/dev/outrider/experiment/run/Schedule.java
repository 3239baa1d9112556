package dev.outrider.experiment.run;

import dev.outrider.experiment.config.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The order in which sides take their turn on a prompt, so that drift of the machine hits all sides alike.
final class Schedule {
    private final List<Side> sides;
    private final Order order;
    private final long seed;

    Schedule(List<Side> sides, Order order, long seed) {
        this.sides = List.copyOf(sides);
        this.order = order;
        this.seed = seed;
    }

    /// Every side once.
    ///
    /// @param turn counts prompts and repetitions, from 0
    List<Side> turn(int turn) {
        List<Side> turned = new ArrayList<>(sides);
        switch (order) {
            case ROTATING -> Collections.rotate(turned, -(turn % turned.size()));
            case RANDOM -> Collections.shuffle(turned, new Random(seed * 31 + turn));
        }
        return turned;
    }
}
