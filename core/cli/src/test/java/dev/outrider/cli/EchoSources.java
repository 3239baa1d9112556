package dev.outrider.cli;

/// Sources of a plugin `acme.EchoPlugin` whose drafter guesses that the last token is repeated for ever.
final class EchoSources {
    static final String PLUGIN =
            """
            package acme;
            public final class EchoPlugin implements OutriderPlugin {
                public int spiVersion() { return SPI_VERSION; }
                public List<Drafter.Factory<?>> drafters() { return List.of(new EchoFactory()); }
            }
            """;

    static final String CONFIG =
            """
            package acme;
            @Doc("Guesses that the last token goes on for ever.")
            public record EchoConfig(@Doc("Tokens drafted a round.") @Default("3") int length) {}
            """;

    static final String FACTORY =
            """
            package acme;
            public final class EchoFactory implements Drafter.Factory<EchoConfig> {
                public String name() { return "echo"; }
                public Class<EchoConfig> configType() { return EchoConfig.class; }
                public DrafterTraits traits(EchoConfig config) {
                    return DrafterTraits.chain(config.length());
                }
                public Drafter create(EchoConfig config, DrafterContext context) {
                    return new EchoDrafter(traits(config));
                }
            }
            """;

    static final String DRAFTER =
            """
            package acme;
            public record EchoDrafter(DrafterTraits traits) implements Drafter {
                public DraftSession open(DraftRequest request) { return new EchoSession(traits.maxDepth()); }
                public void close() {}
                static final class EchoSession implements DraftSession {
                    private final int length;
                    private int root;
                    EchoSession(int length) { this.length = length; }
                    public void begin(int[] prompt, HiddenStates states) { root = prompt[prompt.length - 1]; }
                    public Draft propose(DraftBudget budget, Randomness randomness) {
                        var tree = TokenTree.builder(root);
                        int depth = Math.min(length, budget.maxDepth());
                        for (int node = 0; node < depth; node++) {
                            tree.add(node, root);
                        }
                        return new Draft(tree.build(), new Selection.PointMass());
                    }
                    public void observe(Draft draft, Verdict verdict, TargetScores scores) { root = verdict.nextToken(); }
                    public void close() {}
                }
            }
            """;

    private EchoSources() {}

    /// Returns the sources of the whole plugin.
    static PluginJar jar() {
        return new PluginJar()
                .source(PLUGIN)
                .source(CONFIG)
                .source(FACTORY)
                .source(DRAFTER)
                .provider("acme.EchoPlugin");
    }

    /// Returns the plugin's sources with one piece of text replaced by another.
    static PluginJar jarWith(String old, String text) {
        var all = PLUGIN + CONFIG + FACTORY + DRAFTER;
        if (!all.contains(old)) {
            throw new IllegalArgumentException("no source has " + old);
        }
        return new PluginJar()
                .source(PLUGIN.replace(old, text))
                .source(CONFIG.replace(old, text))
                .source(FACTORY.replace(old, text))
                .source(DRAFTER.replace(old, text))
                .provider("acme.EchoPlugin");
    }
}
