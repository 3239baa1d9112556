package dev.outrider.experiment.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.Component;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Loaded;
import dev.outrider.engine.acceptance.BuiltInRules.SimpleRuleFactory;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.length.HeuristicLength;
import dev.outrider.engine.plugins.EnginePlugin;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.config.ExperimentConfig.Order;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExperimentConfigTest {
    record Checkpoint(Path path) {}

    record Small(Path path, @Default("4") TreePlan tree) {}

    /// Can be configured and not loaded.
    private record Unloaded() implements OutriderPlugin {
        static final TargetModel.Factory<Checkpoint> TARGET =
                new TargetModel.Factory<>() {
                    @Override
                    public String name() {
                        return "djl";
                    }

                    @Override
                    public Class<Checkpoint> configType() {
                        return Checkpoint.class;
                    }

                    @Override
                    public TargetModel open(Checkpoint config) {
                        throw new AssertionError("reading a configuration loads nothing");
                    }
                };

        static final Drafter.Factory<Small> DRAFTER =
                new Drafter.Factory<>() {
                    @Override
                    public String name() {
                        return "small-model";
                    }

                    @Override
                    public Class<Small> configType() {
                        return Small.class;
                    }

                    @Override
                    public DrafterTraits traits(Small config) {
                        throw new AssertionError("reading a configuration asks for no traits");
                    }

                    @Override
                    public Drafter create(Small config, DrafterContext context) {
                        throw new AssertionError("reading a configuration loads nothing");
                    }
                };

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public List<TargetModel.Factory<?>> targets() {
            return List.of(TARGET);
        }

        @Override
        public List<Drafter.Factory<?>> drafters() {
            return List.of(DRAFTER);
        }

        @Override
        public List<AcceptanceRule.Factory<?>> acceptanceRules() {
            return List.of(
                    new SimpleRuleFactory(new TokenRejectionRule()),
                    new SimpleRuleFactory(new SampleAndMatchRule()));
        }

        @Override
        public List<DraftLengthPolicy.Factory<?>> draftLengthPolicies() {
            return new EnginePlugin().draftLengthPolicies();
        }
    }

    private static final PluginRegistry REGISTRY =
            PluginRegistry.of(List.of(new InstalledPlugin("the test", new Unloaded())));

    private static final String FILE =
            """
            name: quickstart
            question: Does a small model speed up a larger one?
            target: {use: djl, path: ../models/target}
            prompts:
              file: prompts.jsonl
              kinds: [story, code]
              limit: 6
            maxTokens: 96
            variants:
              - name: chain
                drafter: {use: small-model, path: ../models/draft}
                draft-length: 5
              - name: tree
                drafter: {use: small-model, path: ../models/draft, tree: {widths: [4, 2, 2]}}
                rule: sample-and-match
                sampling: {temperature: 0.8}
                draftLength: heuristic
            """;

    @Test
    void readsAnExperiment() {
        ExperimentConfig config = parse(FILE).config();
        Path draft = Path.of("/repo/models/draft");
        assertThat(config.target())
                .isEqualTo(
                        new Component<>(
                                "djl",
                                Unloaded.TARGET,
                                new Checkpoint(Path.of("/repo/models/target"))));
        assertThat(config.prompts())
                .isEqualTo(
                        new PromptSource.FromFile(
                                Path.of("/repo/configs/prompts.jsonl"),
                                List.of("story", "code"),
                                6));
        assertThat(config.sampling()).isEqualTo(SamplingPolicy.argmax());
        assertThat(config.protocol().order()).isEqualTo(Order.ROTATING);
        VariantConfig chain = config.variants().getFirst();
        assertThat(chain.drafter())
                .isEqualTo(
                        new DrafterChoice(
                                "small-model",
                                Unloaded.DRAFTER,
                                new Small(draft, new TreePlan.Chain(4))));
        assertThat(chain.draftLength().orElseThrow().use()).isEqualTo("fixed");
        assertThat(chain.draftLength().orElseThrow().config()).isEqualTo(new FixedLength(5));
        assertThat(chain.rule()).isEmpty();
        VariantConfig tree = config.variants().getLast();
        assertThat(tree.drafter())
                .isEqualTo(
                        new DrafterChoice(
                                "small-model",
                                Unloaded.DRAFTER,
                                new Small(draft, new TreePlan.LevelWidths(List.of(4, 2, 2)))));
        assertThat(tree.draftLength().orElseThrow().config())
                .isEqualTo(new HeuristicLength(5, 20, 1));
        assertThat(tree.sampling()).contains(SamplingPolicy.atTemperature(0.8));
    }

    @Test
    void aNameThatNoPolicyHasIsRefused() {
        assertThatThrownBy(() -> parse(FILE, "variants[1].draftLength=heuristi"))
                .hasMessage(
                        """
                        CONFIG_INVALID: quick.yaml has 1 problem:
                          --set variants[1].draftLength=heuristi: variants[1].draftLength: unknown draft-length policy 'heuristi'; did you mean 'heuristic'? (known: expected-gain, fixed, heuristic; plugins add others)
                          Correct the places named; each line says what was expected there.\
                        """);
    }

    @Test
    void overridesReachIntoVariants() {
        ExperimentConfig config =
                parse(
                                FILE,
                                "variants[0].drafter.tree.length=7",
                                "prompts.limit=2",
                                "allow-lossy=true")
                        .config();
        assertThat(config.variants().getFirst().drafter().config())
                .isEqualTo(new Small(Path.of("/repo/models/draft"), new TreePlan.Chain(7)));
        assertThat(config.protocol().allowLossy()).isTrue();
    }

    @Test
    void reportsTheProblemsOfAnExperimentTogether() {
        assertThatThrownBy(() ->
                        parse(
                                """
                                name: my experiment
                                target: {use: djll, path: m}
                                samplng: {temperature: 1}
                                sampling: {topP: 1.5}
                                prompts: {file: p, limits: 3}
                                variants:
                                  - name: plain-ish
                                    drafter: {use: small-model, path: d, tree: {widths: [0]}}
                                  - name: b
                                    drafter: {use: small-model, path: d}
                                    draftLength: -1
                                    rule: tokn
                                """))
                .hasMessage(
                        """
                        CONFIG_INVALID: quick.yaml has 8 problems:
                          quick.yaml:2:15: target: unknown target 'djll'; did you mean 'djl'? (known: djl; plugins add others)
                          quick.yaml:3:1: samplng: unknown key; did you mean 'sampling'? (valid keys: name, question, target, sampling, processors, operators, prompts, maxTokens, stop, ignoreEndOfSequence, seed, warmup, repetitions, threads, batch, order, prefill, allowLossy, exactnessTestSeconds, onDrafterFailure, logprobs, listeners, variants, serve)
                          quick.yaml:4:18: sampling.topP: topP 1.5 must be in (0, 1]
                          quick.yaml:5:20: prompts.limits: unknown key; did you mean 'limit'? (valid keys: use, file, kinds, limit, column, turns, template)
                          quick.yaml:7:11: variants[0].name: name 'plain-ish' must be 1 to 60 characters and not begin with 'plain'
                          quick.yaml:8:49: variants[0].drafter.tree.widths: widths [0] must be positive, at least one
                          quick.yaml:11:5: variants[1].draftLength: draft length -1 is negative
                          quick.yaml:12:11: variants[1].rule: unknown acceptance rule 'tokn'; did you mean 'token'? (known: sample-and-match, token; plugins add others)
                          Correct the places named; each line says what was expected there.\
                        """);
    }

    @Test
    void refusesNamesThatCannotBeAFolderAndNumbersOutOfRange() {
        assertThatThrownBy(() -> parse(FILE, "name=../up"))
                .hasMessageContaining(
                        "--set name=../up: name: name '../up' must be 1 to 100 letters, digits, '.', '_' or"
                                + " '-', the first a letter or digit");
        assertThatThrownBy(() -> parse(FILE, "warmup=-1"))
                .hasMessageContaining("--set warmup=-1: warmup: warmup -1 must be at least 0");
        assertThatThrownBy(() -> parse(FILE, "repetitions=0"))
                .hasMessageContaining(
                        "--set repetitions=0: repetitions: repetitions 0 must be at least 1");
        assertThatThrownBy(() -> parse(FILE, "variants[1].name=chain"))
                .hasMessageContaining(
                        "quick.yaml:9:1: variants: variants has two of the name 'chain'");
    }

    @Test
    void readsOperators() {
        var operators =
                parse(
                                FILE
                                        + """
                                        operators:
                                          order: llama.cpp
                                          bias: {17: -2.5}
                                          topNSigma: 1.5
                                          xtc: {probability: 0.5}
                                        """)
                        .config()
                        .operators()
                        .orElseThrow();

        assertThat(operators.label())
                .isEqualTo(
                        "bias {17=-2.5}, topNSigma 1.5, xtc [probability 0.5, threshold 0.1], order llama.cpp");
    }

    @Test
    void operatorsOutOfRangeAreRefused() {
        assertOperator("topA=2", "operators.topA: topA 2.0 must be in [0.0, 1.0]");
        assertOperator("typical=0", "operators.typical: typical 0.0 must be in (0, 1]");
        assertOperator("eta=1", "operators.eta: eta 1.0 must be in [0, 1)");
        assertOperator(
                "banned=[-1]", "banned [-1] and allowed [] must be ids of tokens, 0 or more");
        assertOperator(
                "xtc={probability: 1, threshold: 0.6}",
                "operators.xtc.threshold: threshold 0.6 must be in [0.0, 0.5]");
        assertOperator(
                "bias={x: 1}", "operators.bias: bias has the key 'x', expected the id of a token");
        assertOperator(
                "order=lama.cpp",
                "operators.order: order 'lama.cpp' has the unknown operator 'lama.cpp', expected transformers, vllm, sglang, llama.cpp, or operators of: bias, allowed,");
        assertOperator("order='topK, topK'", "order 'topK, topK' has an operator twice");
        assertOperator("order='mirostat, topK'", "order 'mirostat, topK' goes on after mirostat");
        assertOperator(
                "order='temperature, topK'",
                "operators.order 'temperature, topK' lacks repetitionPenalty, expected those of 'sampling' and every operator that is on");
    }

    private static void assertOperator(String setting, String message) {
        assertThatThrownBy(() -> parse(FILE, "operators." + setting)).hasMessageContaining(message);
    }

    @Test
    void everyKeyIsDocumented() {
        assertThat(KeyDescription.of(ExperimentConfig.class))
                .allSatisfy(key -> {
                    assertThat(key.doc()).as(key.name()).isNotEmpty();
                    assertThat(key.nested())
                            .allSatisfy(nested ->
                                    assertThat(nested.doc()).as(nested.name()).isNotEmpty());
                });
    }

    private static Loaded<ExperimentConfig> parse(String yaml, String... overrides) {
        return new ConfigLoader(REGISTRY, Path.of("/here"))
                .parse(
                        yaml,
                        "quick.yaml",
                        Path.of("/repo/configs"),
                        ExperimentConfig.class,
                        List.of(overrides));
    }
}
