package dev.outrider.drafter.medusa;

import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A checkpoint of heads, written tensor by tensor.
public final class HeadTensors {
    private final TreeMap<String, StoredTensor> tensors = new TreeMap<>();
    private final SplittableRandom random;

    public HeadTensors(long seed) {
        random = new SplittableRandom(seed);
    }

    public HeadTensors put(String name, float[] values, long... shape) {
        tensors.put(name, StoredTensor.ofFloats(name, values, shape));
        return this;
    }

    public HeadTensors put(StoredTensor tensor) {
        tensors.put(tensor.name(), tensor);
        return this;
    }

    public HeadTensors random(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, floats(size), shape);
    }

    public HeadTensors zeros(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, new float[size], shape);
    }

    public HeadTensors remove(String name) {
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
            values[i] = (float) (random.nextGaussian() * 0.5);
        }
        return values;
    }
}
