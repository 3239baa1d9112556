import dev.outrider.embedding.Outrider;
import dev.outrider.spi.sampling.SamplingPolicy;

void main() {
    try (var generator = Outrider.target("vector", Map.of("path", "models/demo-target"))
            .drafter("small-model", Map.of("path", "models/demo-draft", "length", 4))
            .rule("token")
            .sampling(SamplingPolicy.atTemperature(0.7))
            .open()) {
        generator.generate("Once upon a time", 64, IO::print);
    }
}
