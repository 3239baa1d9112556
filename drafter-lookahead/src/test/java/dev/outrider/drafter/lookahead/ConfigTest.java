package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigTest {
    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new LookaheadConfig(0, 5, 7, false, 1))
                .hasMessage("window 0 must be between 1 and 512");
        assertThatThrownBy(() -> new LookaheadConfig(7, 1, 7, false, 1))
                .hasMessage("level 1 must be between 2 and 32");
        assertThatThrownBy(() -> new LookaheadConfig(7, 5, 513, false, 1))
                .hasMessage("guesses 513 must be between 1 and 512");
        assertThatThrownBy(() -> new JacobiConfig(0, false, 1))
                .hasMessage("length 0 must be between 1 and 512");
    }

    @Test
    void theDeclaredNodesAreThoseOfTheLargestDraft() {
        int[] prompt = new int[200];
        for (int index = 0; index < prompt.length; index++) {
            prompt[index] = index * index % 11 % Toys.VOCABULARY;
        }
        for (int window = 1; window <= 5; window++) {
            for (int level = 2; level <= 7; level++) {
                var config = new LookaheadConfig(window, level, 1, true, 1);
                var session = new LookaheadSession(config, Set.of(), List.of());
                int most = 0;
                try (var driven = new Driven(TableTarget.of(Toys.chaos()), session, prompt)) {
                    for (int round = 0; round < 20; round++) {
                        var tree = driven.propose(config.traits().fullBudget()).tree();
                        most = Math.max(most, tree.draftedNodes());
                        driven.decide(tree);
                    }
                }
                assertThat(config.traits().maxNodes()).describedAs("%s", config).isEqualTo(most);
            }
        }
    }

    @Test
    void thePluginOffersBothDrafters() {
        var names =
                ServiceLoader.load(OutriderPlugin.class).stream()
                        .filter(provider -> provider.type() == LookaheadPlugin.class)
                        .flatMap(provider -> provider.get().drafters().stream())
                        .map(factory -> factory.name())
                        .toList();

        assertThat(names).containsExactly("lookahead", "jacobi");
    }
}
