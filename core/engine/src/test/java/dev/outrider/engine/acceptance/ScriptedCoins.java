package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.Coins;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.Support;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Coins that answer a fixed uniform each time and write down what they were asked.
final class ScriptedCoins implements Coins {
    private final ArrayDeque<Double> uniforms = new ArrayDeque<>();
    final List<String> asked = new ArrayList<>();
    final List<Double> chances = new ArrayList<>();
    final List<double[]> laws = new ArrayList<>();

    ScriptedCoins(double... uniforms) {
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
    public int draw(StreamRole role, int node, double[] law) {
        asked.add("draw %s %d".formatted(role, node));
        laws.add(law.clone());
        double rest = uniforms.remove() * Arrays.stream(law).sum();
        int token = 0;
        while (law[token] == 0 || rest >= law[token]) {
            rest -= law[token++];
        }
        return token;
    }

    @Override
    public int draw(StreamRole role, int node, double[] law, Support support) {
        double[] outside = law.clone();
        for (int index = 0; index < support.size(); index++) {
            outside[support.token(index)] = 0;
        }
        assertThat(outside).as("the law outside its support").containsOnly(0);
        return draw(role, node, law);
    }

    @Override
    public int[] race(int position, double[] law, int count) {
        throw new AssertionError("no race is scripted");
    }

    @Override
    public double uniform(StreamRole role, int node) {
        return uniforms.remove();
    }
}
