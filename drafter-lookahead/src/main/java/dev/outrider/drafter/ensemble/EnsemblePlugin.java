package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.DrafterSelector.SelectorExperience;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;

/// Adds the drafters that combine others: `cascade`, `choice` and `union`.
public final class EnsemblePlugin implements OutriderPlugin {
    /// The first drafter that proposes anything drafts the round.
    public static final Drafter.Factory<CascadeConfig> CASCADE =
            Drafter.Factory.of(
                    "cascade",
                    CascadeConfig.class,
                    config -> Ensemble.anyOf(config.drafters()),
                    (config, context) ->
                            Ensemble.load(
                                    config.drafters(),
                                    context,
                                    Ensemble.anyOf(config.drafters()),
                                    CascadeSession::new));

    /// One drafter, or none, drafts the round: the one with the most tokens per time.
    public static final Drafter.Factory<ChoiceConfig> CHOICE =
            Drafter.Factory.of(
                    "choice",
                    ChoiceConfig.class,
                    config -> Ensemble.anyOf(config.drafters()),
                    EnsemblePlugin::choice);

    /// All drafters guess, and their guesses share one tree.
    public static final Drafter.Factory<UnionConfig> UNION =
            Drafter.Factory.of(
                    "union",
                    UnionConfig.class,
                    UnionConfig::traits,
                    (config, context) ->
                            Ensemble.load(
                                    config.drafters(),
                                    context,
                                    config.traits(),
                                    (sessions, names) ->
                                            new UnionSession(
                                                    sessions, names, config.totalNodes())));

    private static Drafter choice(ChoiceConfig config, DrafterContext context) {
        var experience = new SelectorExperience(config.drafters().size(), config.trials());
        return Ensemble.load(
                config.drafters(),
                context,
                Ensemble.anyOf(config.drafters()),
                (sessions, names) ->
                        new ChoiceSession(sessions, names, new DrafterSelector(experience)));
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(CASCADE, CHOICE, UNION);
    }

    /// Configuration of the drafter `cascade`.
    ///
    /// @param drafters the drafters, in the order in which they are asked
    @Doc("Asks several drafters in turn; the first that proposes anything drafts the round.")
    public record CascadeConfig(
            @Doc(
                            "The drafters, preferred ones first; at least two. A lookup proposes nothing where its match is too"
                                    + " short or too unlikely.")
                    List<DrafterChoice> drafters) {
        public CascadeConfig {
            drafters = List.copyOf(drafters);
            if (drafters.size() < 2) {
                throw new IllegalArgumentException(
                        "drafters must list at least two, got %d".formatted(drafters.size()));
            }
        }
    }

    /// Configuration of the drafter `choice`.
    ///
    /// @param drafters the parts
    /// @param trials   share of the time that exploration may cost beyond the best choice, in `[0, 1)`
    @Doc(
            "Several drafters of which each round asks one, or none: whichever gives the most tokens for its time.")
    public record ChoiceConfig(
            @Doc(
                            "The drafters; at least one. Plain decoding is a choice beside them. The first one drafts as long as it is not known how"
                                    + " long rounds take, as in a beam search.")
                    List<DrafterChoice> drafters,
            @Default("0.01")
                    @Doc(
                            "Share of the time that trials of other choices may cost beyond the best one, in [0, 1).")
                    double trials) {
        public ChoiceConfig {
            drafters = List.copyOf(drafters);
            if (drafters.isEmpty()) {
                throw new IllegalArgumentException("drafters must list at least one, got 0");
            }
            if (!(trials >= 0 && trials < 1)) {
                throw new IllegalArgumentException("trials %s must be in [0, 1)".formatted(trials));
            }
        }
    }

    /// Configuration of the drafter `union`.
    ///
    /// @param drafters   the drafters, in the order in which they are asked
    /// @param totalNodes maximum number of nodes of a round
    @Doc("Several drafters propose in the same round; what they guess shares one tree.")
    public record UnionConfig(
            @Doc(
                            "The drafters; at least two. Each is asked for what the ones before it left of the round's nodes.")
                    List<DrafterChoice> drafters,
            @Doc("Most nodes of a round; a guess that several drafters share is one node.")
                    @Default("64")
                    int totalNodes) {
        private static final int MAX_NODES = 4096;

        public UnionConfig {
            drafters = List.copyOf(drafters);
            if (drafters.size() < 2) {
                throw new IllegalArgumentException(
                        "drafters must list at least two, got %d".formatted(drafters.size()));
            }
            if (totalNodes < 1 || totalNodes > MAX_NODES) {
                throw new IllegalArgumentException(
                        "totalNodes %d must be between 1 and %d".formatted(totalNodes, MAX_NODES));
            }
        }

        /// Returns the traits of a point mass: a node of a union is there because one drafter proposed
        /// it, even if that drafter drew it from a known distribution. So only rules that need no q may
        /// judge it (docs/decisions/0073).
        DrafterTraits traits() {
            var each = drafters.stream().map(DrafterChoice::traits).toList();
            long nodes = each.stream().mapToLong(DrafterTraits::maxNodes).sum();
            int most = Math.toIntExact(Math.min(nodes, totalNodes));
            var any = each.stream().reduce(DrafterTraits::or).orElseThrow();
            return any.selecting(Selection.Kind.POINT_MASS)
                    .shaped(TreeShape.TREE)
                    .within(most, Math.min(any.maxDepth(), most));
        }
    }
}
