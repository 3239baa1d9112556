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
final class HeadTensors {
    private final TreeMap<String, StoredTensor> tensors = new TreeMap<>();
    private final SplittableRandom random;

    HeadTensors(long seed) {
        random = new SplittableRandom(seed);
    }

    HeadTensors put(String name, float[] values, long... shape) {
        tensors.put(name, StoredTensor.ofFloats(name, values, shape));
        return this;
    }

    HeadTensors put(StoredTensor tensor) {
        tensors.put(tensor.name(), tensor);
        return this;
    }

    HeadTensors random(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, floats(size), shape);
    }

    HeadTensors zeros(String name, long... shape) {
        int size = 1;
        for (long dimension : shape) {
            size *= (int) dimension;
        }
        return put(name, new float[size], shape);
    }

    HeadTensors remove(String name) {
        tensors.remove(name);
        return this;
    }

    float[] values(String name) {
        var tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no tensor " + name);
        }
        return tensor.toFloats();
    }

    Path write(Path folder) {
        return write(folder, "model.safetensors");
    }

    Path write(Path folder, String file) {
        SafetensorsWriter.write(folder.resolve(file), tensors.values(), Map.of());
        return folder;
    }

    static void config(Path folder, String json) {
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
