#!/usr/bin/env python3
"""Trains the digit classifier of this folder and writes its files.

Data: the 8x8 optical handwritten digits that scikit-learn ships (1,797
pictures, values 0 to 16). Needs: pip install tensorflow-cpu scikit-learn.

    python3 train.py

writes digits_int8.tflite, digits_float.tflite (the same network) and
digits.txt, the pictures the demo shows (none of them was trained on).
"""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

SEED = 7
HERE = os.path.dirname(os.path.abspath(__file__))


def data():
    digits = load_digits()
    images = (digits.images / 16.0).astype(np.float32)[..., None]
    order = np.random.RandomState(SEED).permutation(len(images))
    images, labels = images[order], digits.target[order]
    split = 1437  # four fifths
    return (images[:split], labels[:split]), (images[split:], labels[split:])


def network(batch=None):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((8, 8, 1), batch_size=batch, name="image"),
        layers.Conv2D(8, 3, padding="same", activation="relu"),
        layers.DepthwiseConv2D(3, strides=2, padding="same", activation="relu"),
        layers.Conv2D(16, 1, activation="relu"),
        layers.DepthwiseConv2D(3, padding="same", activation="relu"),
        layers.Conv2D(24, 1, activation="relu"),
        layers.AveragePooling2D(2),
        layers.Flatten(),
        layers.Dense(10, activation="softmax", name="digit"),
    ])


def convert(model, images, quantise):
    single = network(batch=1)  # a fixed batch, so that no shape is computed
    single.set_weights(model.get_weights())
    converter = tf.lite.TFLiteConverter.from_keras_model(single)
    if quantise:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([x[None]] for x in images[:300])
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = tf.int8
        converter.inference_output_type = tf.int8
    return converter.convert()


def accuracy(blob, images, labels):
    interpreter = tf.lite.Interpreter(model_content=blob)
    interpreter.allocate_tensors()
    entry, exit_ = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    right = 0
    for image, label in zip(images, labels):
        x = image[None]
        if entry["dtype"] == np.int8:
            scale, zero = entry["quantization"]
            x = np.clip(np.round(x / scale) + zero, -128, 127).astype(np.int8)
        interpreter.set_tensor(entry["index"], x)
        interpreter.invoke()
        right += int(np.argmax(interpreter.get_tensor(exit_["index"])) == label)
    return right / len(labels)


def main():
    tf.keras.utils.set_random_seed(SEED)
    (train_x, train_y), (test_x, test_y) = data()
    model = network()
    model.compile(tf.keras.optimizers.Adam(3e-3), "sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    model.fit(train_x, train_y, epochs=60, batch_size=32, verbose=0)
    for name, quantise in (("int8", True), ("float", False)):
        blob = convert(model, train_x, quantise)
        with open(os.path.join(HERE, f"digits_{name}.tflite"), "wb") as file:
            file.write(blob)
        print(f"{name}: {len(blob)} bytes, {accuracy(blob, test_x, test_y):.4f} of the test set right")
    with open(os.path.join(HERE, "digits.txt"), "w") as file:
        file.write("# label: 64 pixels, 0 to 16, row by row (from the test set)\n")
        for digit in range(10):
            image = test_x[np.where(test_y == digit)[0][0]]
            pixels = " ".join(str(int(round(p * 16))) for p in image.reshape(-1))
            file.write(f"{digit}: {pixels}\n")


if __name__ == "__main__":
    main()
