package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.testkit.SuiteRunner.Outcome;
import dev.outrider.testkit.SuiteRunner.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsCommandTest {
    @TempDir private Path plugins = Path.of("");

    @Test
    void listNamesWhatAPluginBringsAndThePlugin() throws IOException {
        EchoSources.jar().write(plugins.resolve("my-echo/echo.jar"));

        assertThat(Run.withPlugins(plugins, "plugins", "list").out())
                .contains(
                        "drafter     echo                 Guesses that the last token goes on for ever. [plugin 'my-echo']\n");
    }

    @Test
    void describePrintsTheKeysOfAPlugin() throws IOException {
        EchoSources.jar().write(plugins.resolve("my-echo/echo.jar"));

        assertThat(Run.withPlugins(plugins, "plugins", "describe", "echo").out())
                .isEqualTo(
                        """
                        drafter echo [plugin 'my-echo']
                          length (integer, default 3)  Tokens drafted a round.
                        """);
    }

    @Test
    void aBrokenPluginEndsEveryCommandWithItsName() throws IOException {
        Files.createDirectories(plugins.resolve("broken"));

        var run = Run.withPlugins(plugins, "plugins", "list");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("PLUGIN_INVALID: plugin 'broken' has no jar");
    }

    @Test
    void aDirectoryThatWasAskedForMustBeThere() {
        var run = Run.withPlugins(plugins.resolve("typo"), "plugins", "list");

        assertThat(run.err())
                .isEqualTo(
                        "PLUGIN_INVALID: there is no directory '%s' to take plugins from\n  Correct OUTRIDER_PLUGINS, or unset it to use plugins/ in the checkout.\n"
                                .formatted(plugins.resolve("typo")));
    }

    @Test
    void checkFindsThatAGoodPluginPassesEveryCheck() throws IOException {
        EchoSources.jar().write(plugins.resolve("echo/echo.jar"));

        var run = Run.of("plugins", "check", plugins.resolve("echo").toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("plugin 'echo' loads: 1 drafter\n\ndrafter echo\n")
                .contains("  kept    greedy output equals plain decoding\n")
                .contains("  kept    every token follows the targets distribution\n")
                .doesNotContain("BROKEN");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void checkPassesSettingsOn() throws IOException {
        EchoSources.jarWith("@Default(\"3\") ", "").write(plugins.resolve("echo/echo.jar"));
        var folder = plugins.resolve("echo").toString();

        assertThat(Run.of("plugins", "check", folder).err())
                .startsWith("CONFIG_INVALID: ")
                .contains("length");
        // A check may take one millisecond: the plugin is configured, and the command waits for no
        // check.
        var set =
                Run.of("plugins", "check", folder, "--set", "echo.length=2", "--time-limit=0.001");
        assertThat(set.out()).contains("drafter echo\n");
        assertThat(set.err()).doesNotContain("CONFIG_INVALID");
        assertThat(Run.of("plugins", "check", folder, "--set", "length=2").err())
                .startsWith(
                        "USAGE: --set length=2 begins with none of what the plugin brings: echo, as in echo.key=value");
    }

    @Test
    void checkShowsWhichCheckADrafterFails() throws IOException {
        EchoSources.jarWith(
                        "int depth = Math.min(length, budget.maxDepth());",
                        "int depth = length + 1;")
                .write(plugins.resolve("echo/echo.jar"));

        var run = Run.of("plugins", "check", plugins.resolve("echo").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.REJECTED);
        assertThat(run.out())
                .contains("  BROKEN  sampled drafts keep the contract in every round\n")
                .contains("CONTRACT_BROKEN: drafter 'EchoDrafter' in round 0 ")
                .contains("proposed 4 nodes, expected at most 3");
    }

    /// Three checks are late here, but which three may vary.
    @Test
    void checkDoesNotWaitForADrafterThatHangs() throws IOException {
        EchoSources.jarWith(
                        "var tree = TokenTree.builder(root);",
                        "if (budget.maxNodes() > 1) { try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException e) { Thread.currentThread().interrupt(); } } var tree = TokenTree.builder(root);")
                .write(plugins.resolve("echo/echo.jar"));

        var run =
                Run.of("plugins", "check", plugins.resolve("echo").toString(), "--time-limit=0.3");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("  not decided ")
                .contains("did not end within 0.3 s")
                .contains("not tried, for 3 checks did not end");
        assertThat(run.err())
                .isEqualTo(
                        "Some checks did not end within 0.3 s and are not decided; --time-limit gives each of them longer.\n");
    }

    @Test
    void checkSaysWhatCameOfEveryCheck() {
        assertThat(
                        PluginsCheckCommand.lines(
                                List.of(
                                        new Result("itHolds", Outcome.KEPT, ""),
                                        new Result("itDoesNot", Outcome.BROKEN, "one\ntwo"),
                                        new Result("itIsLate", Outcome.UNDECIDED, "late"),
                                        new Result("itHangs", Outcome.HUNG, "hangs"),
                                        new Result("itDoesNotApply", Outcome.SKIPPED, "no"))))
                .isEqualTo(
                        """
                          kept    it holds
                          BROKEN  it does not
                                    one
                                    two
                          not decided it is late
                                    late
                          not decided it hangs
                                    hangs
                          skipped it does not apply
                                    no
                        """);
    }

    @Test
    @Tag("nightly")
    void checkFindsASessionThatIsKept() throws IOException {
        EchoSources.jarWith(
                        "EchoSession(int length) { this.length = length; }",
                        "static final List<Object> ALL = new java.util.ArrayList<>();"
                                + " EchoSession(int length) { this.length = length; ALL.add(this); }")
                .write(plugins.resolve("echo/echo.jar"));

        var run = Run.of("plugins", "check", plugins.resolve("echo").toString());

        assertThat(run.out())
                .contains("  BROKEN  closed sessions leave nothing behind\n")
                .contains("closed sessions still reachable, of 16");
        assertThat(run.exitCode()).isEqualTo(ExitCode.REJECTED);
    }

    @Test
    void checkFindsAThreadThatOutlivesTheDrafter() throws IOException {
        EchoSources.jarWith(
                        "public void close() {}\n    static",
                        """
                        public void close() {}
                            static final Thread WORKER = Thread.ofPlatform().daemon().name("echo-worker").start(() -> {
                                try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException e) { return; }
                            });
                            static\
                        """)
                .write(plugins.resolve("echo/echo.jar"));

        try {
            var run = Run.of("plugins", "check", plugins.resolve("echo").toString());

            assertThat(run.out())
                    .contains("  BROKEN  every thread ends with the drafter\n")
                    .contains("still running after close(): echo-worker");
            assertThat(run.exitCode()).isEqualTo(ExitCode.REJECTED);
        } finally {
            PluginThreadsTest.end("echo-worker");
        }
    }

    @Test
    void checkFindsARuleThatIsNotExact() throws IOException {
        rule("Math.sqrt(p)").write(plugins.resolve("unfair/unfair.jar"));

        var unfair = Run.of("plugins", "check", plugins.resolve("unfair").toString());

        assertThat(unfair.out())
                .contains("rule first-guess\n")
                .contains("  kept    a rule says where it is from\n");
        assertThat(unfair.out())
                .contains("  BROKEN  every declared pairing is exact for one round\n");
        assertThat(unfair.exitCode()).isEqualTo(ExitCode.REJECTED);
    }

    /// A rule that accepts a draft's first guess with a probability; if that is p, the rule is one-hot rejection.
    private static PluginJar rule(String probability) {
        return new PluginJar()
                .source(
                        """
                        package acme;
                        public final class RulePlugin implements OutriderPlugin {
                            public int spiVersion() { return SPI_VERSION; }
                            public List<AcceptanceRule.Factory<?>> acceptanceRules() { return List.of(new Factory()); }
                            public record Settings() {}
                            static final class Factory implements AcceptanceRule.Factory<Settings> {
                                public String name() { return "first-guess"; }
                                public Class<Settings> configType() { return Settings.class; }
                                public AcceptanceRule create(Settings settings) { return new Rule(); }
                            }
                            static final class Rule implements AcceptanceRule {
                                public RuleTraits traits() {
                                    return RuleTraits.exact("first-guess", Selection.Kind.any(), TreeShape.CHAIN, "this test");
                                }
                                public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
                                    var distribution = target.distribution(0);
                                    if (draft.tree().draftedNodes() == 0) {
                                        return new Verdict(List.of(), randomness.draw(Randomness.Role.BONUS, 0, distribution), Verdict.Origin.BONUS);
                                    }
                                    int token = draft.tree().token(1);
                                    double p = distribution[token];
                                    if (randomness.accept(1, %s, 1)) {
                                        var next = target.distribution(1);
                                        boolean leaf = draft.tree().draftedNodes() == 1;
                                        int follows = randomness.draw(leaf ? Randomness.Role.BONUS : Randomness.Role.RESIDUAL, 1, next);
                                        return new Verdict(List.of(1), follows, leaf ? Verdict.Origin.BONUS : Verdict.Origin.CORRECTION);
                                    }
                                    var left = distribution.clone();
                                    left[token] = 0;
                                    return new Verdict(List.of(), randomness.draw(Randomness.Role.RESIDUAL, 0, left), Verdict.Origin.CORRECTION);
                                }
                            }
                        }
                        """
                                .formatted(probability))
                .provider("acme.RulePlugin");
    }
}
