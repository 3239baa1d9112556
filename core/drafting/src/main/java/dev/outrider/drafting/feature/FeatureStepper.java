package dev.outrider.drafting.feature;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One round's draft steps: the row of a guess gets the state that its parent's row put out (docs/reference/algorithms.md A5.3).
///
/// With D layers, a guess at depth d is predicted from by layer d + 1, whose row reads layer d's state of the parent;
/// the layers after it run rows for the guess too, which rows of later guesses attend to. From depth D on the last
/// layer reads its own states (docs/reference/algorithms.md A7.1). Scratch rows stay in the caches until the session drops them.
///
/// Confined to one thread. Close it at the end of the round.
final class FeatureStepper implements DraftStepper, AutoCloseable {
    private final FeatureModules modules;
    private final Arena arena = Arena.ofConfined();
    private final List<GuessedRows> guessed;
    private int rows;
    private Optional<PassResult> result = Optional.empty();

    /// @param modules after a feed that asked for the root
    /// @param maxRows most rows a round runs
    FeatureStepper(FeatureModules modules, int maxRows) {
        this.modules = modules;
        guessed =
                IntStream.range(0, modules.size())
                        .mapToObj(module ->
                                new GuessedRows(
                                        modules.rootState(module),
                                        modules.rootKnown(module),
                                        maxRows,
                                        arena))
                        .toList();
    }

    @Override
    public LogitRows root() {
        return _ -> modules.rootLogits();
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        close(result);
        int depth = nodes.getFirst().depth();
        int last = modules.size() - 1;
        int first = Math.min(depth, last);
        // Later layers first: a layer reads what the one before gave for the level above.
        for (int module = last; module > first; module--) {
            var given = guessed.get(module - 1);
            if (given.hasLevel(depth - 1)) {
                run(module, given, nodes, depth, false).close();
            }
        }
        var given = depth <= last ? guessed.get(first - 1) : guessed.get(last);
        var pass = run(first, given, nodes, depth, true);
        result = Optional.of(pass);
        rows += nodes.size();
        return pass::logits;
    }

    @Override
    public void close() {
        close(result);
        result = Optional.empty();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// Runs a layer's rows of a level.
    ///
    /// @param given whose states of the parents they read
    private PassResult run(
            int module, GuessedRows given, List<StepInput> nodes, int depth, boolean logits) {
        var own = guessed.get(module);
        boolean chained = given == own;
        var source =
                chained && modules.recycled().isEmpty()
                        ? FeatureRows.Source.TARGET
                        : FeatureRows.Source.RECYCLED;
        var features =
                source == FeatureRows.Source.TARGET
                        ? given.rootStates(nodes.size())
                        : given.states(nodes);
        boolean passesOn = module < modules.size() - 1;
        var state = passesOn ? Optional.of(modules.passedOn()) : modules.recycled();
        var pass =
                modules.network(module)
                        .forward(
                                own.block(modules.cache(module), nodes, rows),
                                new FeatureRows(features, nodes.size(), source),
                                new PassOutputs(
                                        logits
                                                ? PassOutputs.LogitRows.ALL
                                                : PassOutputs.LogitRows.NONE,
                                        state.map(Set::of).orElse(Set.of())));
        own.ranLevel(depth);
        state.ifPresent(which -> {
            for (int row = 0; row < nodes.size(); row++) {
                own.store(pass.hidden(which, row));
            }
        });
        return pass;
    }

    private static void close(Optional<PassResult> pass) {
        pass.ifPresent(PassResult::close);
    }
}
