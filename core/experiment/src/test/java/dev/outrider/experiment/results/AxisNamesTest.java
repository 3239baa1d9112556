package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.results.Results.AxisNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AxisNamesTest {
    @Test
    void aKeyIsCalledByItsLastPartUnlessAnotherWouldBeCalledTheSame() {
        var axes = List.of("variants[0].drafter.length", "sampling.temperature");
        assertThat(AxisNames.brief(axes.getFirst(), axes)).isEqualTo("length");
        assertThat(AxisNames.brief(axes.getLast(), axes)).isEqualTo("T");
        var same = List.of("variants[0].drafter.length", "variants[1].drafter.length");
        assertThat(AxisNames.brief(same.getFirst(), same)).isEqualTo(same.getFirst());
    }

    @Test
    void aTitleNamesTheAxisWhereItsValueDoesNotSpeakForItself() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("shape", "chain, sample and match");
        labels.put("sampling.temperature", "0.6");
        labels.put("batch", "4");
        labels.put("variants[0].rule", "token");
        assertThat(AxisNames.title(labels))
                .isEqualTo("chain, sample and match, T 0.6, batch 4, rule token");
        assertThat(AxisNames.title(Map.of("shape", "16"))).isEqualTo("shape 16");
    }
}
