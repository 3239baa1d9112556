package dev.outrider.experiment.run;

import dev.outrider.experiment.config.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The order in which sides take their turn on a prompt, so that drift of the machine hits all sides alike.
final class Schedule {
    private final List<Contender> contenders;
    private final Order order;
    private final long seed;

    Schedule(List<Contender> contenders, Order order, long seed) {
        this.contenders = List.copyOf(contenders);
        this.order = order;
        this.seed = seed;
    }

    /// Every contender once.
    ///
    /// @param turn counts prompts and repetitions, from 0
    List<Contender> turn(int turn) {
        List<Contender> sides = new ArrayList<>(contenders);
        switch (order) {
            case ROTATING -> Collections.rotate(sides, -(turn % sides.size()));
            case RANDOM -> Collections.shuffle(sides, new Random(seed * 31 + turn));
        }
        return sides;
    }
}
