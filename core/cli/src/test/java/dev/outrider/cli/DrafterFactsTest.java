package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.experiment.tune.Candidate;
import dev.outrider.experiment.tune.DrafterFamily;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrafterFactsTest {
    private static final String COMMIT = "0123456789".repeat(4);

    @Test
    void aFolderOfTheHubIsNamedAsTheHubNamesIt() {
        var cache = "/cache/models--JackFrame--llama-68m/snapshots/" + COMMIT;

        assertThat(name(cache)).isEqualTo("small-model llama-68m");
        assertThat(name(cache + "@demo")).isEqualTo("small-model llama-68m@demo");
        assertThat(name(cache + "/draft.gguf")).isEqualTo("small-model draft.gguf");
        assertThat(name("models/tiny-draft")).isEqualTo("small-model tiny-draft");
    }

    @Test
    void everyCandidateHasANameOfItsOwnThatAConfigurationMayHave() {
        var path = Path.of("/a/tinyllama-1.1b-chat-v1.0.Q4_K_M-and-what-else-it-is.gguf");
        var names = new HashSet<String>();
        var candidates = new HashSet<String>();
        for (int i = 0; i < 11; i++) {
            var name = DrafterFacts.name("small-model", path, names);
            assertThat(names.add(name)).isTrue();
            var family = new DrafterFamily(name, "", DrafterFamily.LENGTHS, DrafterFamily.TREES);
            var probe = family.trees().stream().map(family::tree).map(Candidate::name);
            probe.forEach(each -> assertThat(candidates.add(each)).isTrue());
            candidates.add(name + ", expected gain");
        }

        assertThat(names).contains("small-model tinyllama-1.1b-chat-v1.0.Q4_K_ 11");
        assertThat(candidates)
                .allSatisfy(each ->
                        assertThat(each).hasSizeLessThanOrEqualTo(VariantConfig.LONGEST_NAME));
    }

    private static String name(String path) {
        return DrafterFacts.name("small-model", Path.of(path), List.of());
    }
}
