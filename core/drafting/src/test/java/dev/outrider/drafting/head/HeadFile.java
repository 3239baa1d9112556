package dev.outrider.drafting.head;

import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A checkpoint of heads, written tensor by tensor.
public final class HeadFile {
    private final TreeMap<String, StoredTensor> tensors = new TreeMap<>();
    private final SplittableRandom random;
    private final double deviation;

    public HeadFile(long seed) {
        this(seed, 0.5);
    }

    /// @param deviation of random numbers
    public HeadFile(long seed, double deviation) {
        random = new SplittableRandom(seed);
        this.deviation = deviation;
    }

    public HeadFile put(String name, float[] values, long... shape) {
        tensors.put(name, StoredTensor.ofFloats(name, values, shape));
        return this;
    }

    public HeadFile put(StoredTensor tensor) {
        tensors.put(tensor.name(), tensor);
        return this;
    }

    public HeadFile random(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, floats(size), shape);
    }

    /// Adds the weight and the bias of a linear layer.
    public HeadFile linear(String name, int rows, int columns) {
        return random(name + ".weight", rows, columns).random(name + ".bias", rows);
    }

    public HeadFile zeros(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, new float[size], shape);
    }

    public HeadFile remove(String name) {
        tensors.remove(name);
        return this;
    }

    public float[] values(String name) {
        var tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no tensor " + name);
        }
        return tensor.toFloats();
    }

    public Path write(Path folder) {
        return write(folder, "model.safetensors");
    }

    public Path write(Path folder, String file) {
        SafetensorsWriter.write(folder.resolve(file), tensors.values(), Map.of());
        return folder;
    }

    public static void config(Path folder, String json) {
        try {
            Files.writeString(folder.resolve("config.json"), json);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private float[] floats(int count) {
        var values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextGaussian() * deviation);
        }
        return values;
    }
}
