package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Randomness that returns fixed uniform numbers and records the requests.
final class ScriptedRandomness implements Randomness {
    private final ArrayDeque<Double> uniforms = new ArrayDeque<>();
    final List<String> asked = new ArrayList<>();
    final List<Double> chances = new ArrayList<>();
    final List<double[]> distributions = new ArrayList<>();

    ScriptedRandomness(double... uniforms) {
        for (double uniform : uniforms) {
            this.uniforms.add(uniform);
        }
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        asked.add("accept %d %s/%s".formatted(node, numerator, denominator));
        chances.add(numerator / denominator);
        return uniforms.remove() * denominator < numerator;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution) {
        asked.add("draw %s %d".formatted(role, node));
        distributions.add(distribution.clone());
        double rest = uniforms.remove() * Arrays.stream(distribution).sum();
        int token = 0;
        while (distribution[token] == 0 || rest >= distribution[token]) {
            rest -= distribution[token++];
        }
        return token;
    }

    @Override
    public int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        double[] outside = distribution.clone();
        for (int index = 0; index < support.size(); index++) {
            outside[support.token(index)] = 0;
        }
        assertThat(outside).as("the distribution outside its support").containsOnly(0);
        return draw(role, node, distribution);
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        throw new AssertionError("no race is scripted");
    }

    @Override
    public double uniform(Randomness.Role role, int node) {
        return uniforms.remove();
    }
}
