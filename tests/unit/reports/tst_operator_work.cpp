// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The work that follows from the inputs of an operator: each number is worked out in a comment beside it.

#include "metrics/operators/known_operators.h"
#include "metrics/operators/operator_work.h"
#include "tests/support/suite/suite.h"

#include <string>

namespace collscope {

namespace {

/// A call whose inputs are all of one type. Values: as the profiler lists them; empty = it lists none.
std::optional<OperatorWork> workOf(const char* name, const char* dims, const char* type,
                                   const char* values = "")
{
    const auto shapes = shapesOf(dims);
    std::string types = "[";
    for (std::size_t i = 0; shapes && i < shapes->size(); ++i)
        types.append(i > 0 ? ", \"" : "\"").append(type).append("\"");
    return operatorWork(name, {dims, types + "]", "", values});
}

/// The text with `value` in the place of its '@'.
std::string filled(std::string text, const char* value)
{
    return text.replace(text.find('@'), 1, value);
}

/// "flops | bytes"; "none" where nothing is known.
QByteArray figures(const std::optional<OperatorWork>& work)
{
    if (!work)
        return "none";
    return QByteArray::fromStdString(numberText(work->flops) + " | " + numberText(work->bytes));
}

/// The value of a parameter as text; "" if there is none of that name.
std::string parameter(const std::optional<OperatorWork>& work, std::string_view name)
{
    for (const auto& [known, value] : work ? work->parameters : decltype(work->parameters)()) {
        if (known == name)
            return value.as<std::string>() ? *value.as<std::string>() : numberTextOf(value);
    }
    return {};
}

} // namespace

class TestOperatorWork : public QObject
{
    Q_OBJECT

private slots:
    void listsOfTheProfiler()
    {
        using Shapes = std::vector<std::vector<std::int64_t>>;
        QCOMPARE(shapesOf("[[512], [141, 512], []]"), std::optional(Shapes{{512}, {141, 512}, {}}));
        QCOMPARE(shapesOf("[]"), std::optional(Shapes{}));
        for (const char* other : {"", "[", "[[1], [[2], [3]]]", "[[1]] x", "[[1.5]]", "[[1], ]", "[1]"})
            QVERIFY2(!shapesOf(other), other);
        QCOMPARE(textsOf(R"(["c10::Half", "", "1"])"),
                 std::optional(std::vector<std::string>{"c10::Half", "", "1"}));
        QCOMPARE(onOneLine("[\n  [\n 1,2 ],\t\"a , b\", \"\\\" ,\"]"),
                 std::string("[[1, 2], \"a , b\", \"\\\" ,\"]"));
        QVERIFY(!textsOf("[1]") && !textsOf("[\"a"));
    }
    void workOfShapes()
    {
        const auto work
            = [](const char* name, const char* dims, const char* types, const char* concrete = "[]") {
                  return operatorWork(name, {dims, types, "", concrete});
              };
        // 2 x 3 x 4 x 5 operations; 2 bytes for each element of A (3 x 5), B (5 x 4) and C (3 x 4).
        const auto product = work("aten::mm", "[[3, 5], [5, 4]]", R"(["c10::Half", "c10::Half"])");
        QVERIFY(product);
        QCOMPARE(product->flops, 120.0);
        QCOMPARE(product->bytes, 2.0 * (15 + 20 + 12));
        const auto batch = work("aten::bmm", "[[7, 3, 5], [7, 5, 4]]", R"(["float", "float"])");
        QVERIFY(batch && batch->flops == 7 * 120.0 && batch->bytes == 4.0 * 7 * (15 + 20 + 12));
        const auto sum = work("aten::add", "[[2, 1, 4], [3, 4]]", R"(["float", "c10::Half"])");
        QVERIFY(sum && sum->flops == 24.0 && sum->bytes == 8 * 4.0 + 12 * 2.0 + 24 * 4.0);
        const char* const causal = R"(["", "", "", "0.", "True", "False", ""])";
        const auto attention
            = work("aten::_scaled_dot_product_flash_attention",
                   "[[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [], [], [], []]",
                   R"(["float", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar"])", causal);
        QVERIFY(attention);
        QCOMPARE(attention->flops, 4.0 * 2 * 8 * 8 * 4 / 2); // half of the pairs
        QCOMPARE(attention->bytes, 4.0 * 4 * 64);
        // What does not fit, or is not known, has no work.
        QVERIFY(!work("aten::mm", "[[3, 5], [6, 4]]", R"(["float", "float"])"));
        QVERIFY(!work("aten::mm", "[[3, 5], [5, 4]]", R"(["float", "c10::Half"])"));
        QVERIFY(!work("aten::mm", "[[3, 5], [5, 4]]", R"(["unheard", "unheard"])"));
        QVERIFY(!work("aten::mm", "", ""));
        QVERIFY(!work("aten::add", "[[3, 5], [4, 5]]", R"(["float", "float"])"));
        QVERIFY(!work("aten::gelu", "[[3, 5]]", R"(["float"])"));
    }
    void convolutions()
    {
        // 2 images of 4 x 5 x 7, 6 filters of 2 x 3 x 3 (2 groups), stride 1 and 2, padding 1 and 1. The
        // result is 6 x (5 + 2 - 3 + 1 = 5) x ((7 + 2 - 3) / 2 + 1 = 4), 240 elements of 2 images. Each is
        // 2 x 18 operations, 8640, and 240 for the bias. 280 + 108 + 240 elements, and 6 of the bias.
        const auto bias
            = workOf("aten::convolution", "[[2, 4, 5, 7], [6, 2, 3, 3], [6], [], [], [], [], [], []]",
                     "float", R"(["", "", "", "[1, 2]", "[1]", "[1, 1]", "False", "[0, 0]", "2"])");
        QCOMPARE(figures(bias), QByteArray("8880 | 2536")); // 4 x 634
        QCOMPARE(bias->kind, OperatorWork::Kind::Convolution);
        QCOMPARE(parameter(bias, "convNd"), std::string("conv2d"));
        QCOMPARE(parameter(bias, "input_shape"), std::string("(2, 4, 5, 7)"));
        QCOMPARE(parameter(bias, "padding"), std::string("(1, 1)"));
        QCOMPARE(parameter(bias, "groups"), std::string("2"));
        QCOMPARE(parameter(bias, "bias"), std::string("1"));
        // The same where padding comes before stride, without and with bias.
        QCOMPARE(figures(workOf("aten::cudnn_convolution",
                                "[[2, 4, 5, 7], [6, 2, 3, 3], [], [], [], [], [], [], []]", "float",
                                R"(["", "", "[1, 1]", "[1, 2]", "[1, 1]", "2", "False", "False", "True"])")),
                 QByteArray("8640 | 2512")); // 4 x 628
        QCOMPARE(figures(workOf("aten::miopen_convolution",
                                "[[2, 4, 5, 7], [6, 2, 3, 3], [6], [], [], [], [], [], []]", "float",
                                R"(["", "", "", "[1, 1]", "[1, 2]", "[1, 1]", "2", "False", "False"])")),
                 QByteArray("8880 | 2536"));
        // Transposed: 3 x 4 in, filters of 2 x 5: (4 - 1) 2 - 2 + 5 + 1 = 10 long, 2 channels, 20 elements.
        // Each of 12 elements of the input meets 10 of the filter: 240 operations; 12 + 30 + 20 elements.
        QCOMPARE(figures(workOf("aten::convolution", "[[1, 3, 4], [3, 2, 5], [], [], [], [], [], [], []]",
                                "c10::Half", R"(["", "", "", "[2]", "[1]", "[1]", "True", "[1]", "1"])")),
                 QByteArray("240 | 124"));
        // Depthwise: each of 3 channels has a filter of 2 x 2 and 9 results: 27 x 8 operations, 48 + 12 + 27
        // elements.
        QCOMPARE(figures(workOf("aten::_conv_depthwise2d", "[[1, 3, 4, 4], [3, 1, 2, 2], [], [], [], [], []]",
                                "float", R"(["", "", "[2, 2]", "", "[1, 1]", "[0, 0]", "[1, 1]"])")),
                 QByteArray("216 | 348"));
    }
    void convolutionsBackward()
    {
        const auto backward = [](const char* mask, const char* gradient = "[2, 6, 5, 4]") {
            const std::string dims
                = filled("[@, [2, 4, 5, 7], [6, 2, 3, 3], [], [], [], [], [], [], [], []]", gradient);
            const char* const values
                = R"(["", "", "", "[6]", "[1, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2", "@"])";
            return workOf("aten::convolution_backward", dims.c_str(), "float", filled(values, mask).c_str());
        };
        // Each gradient is a convolution of 8640 operations that moves 628 elements; that of the bias sums
        // 240 elements into 6.
        const auto all = backward("[True, True, True]");
        QCOMPARE(figures(all), QByteArray("17520 | 6008")); // 2 x 8640 + 240; 4 (2 x 628 + 246)
        QCOMPARE(all->kind, OperatorWork::Kind::ConvolutionBackward);
        QCOMPARE(figures(backward("[True, True, False]")), QByteArray("17280 | 5024"));
        QCOMPARE(figures(backward("[False, True, False]")), QByteArray("8640 | 2512"));
        QCOMPARE(figures(backward("[False, False, False]")), QByteArray("none"));
        QCOMPARE(figures(backward("[True, True, True]", "[2, 6, 5, 5]")), QByteArray("none"));
        QCOMPARE(figures(backward("")), QByteArray("none"));
    }
    void attentionBackward()
    {
        const auto flash = [](const char* causal) {
            const std::string values
                = filled(R"(["", "", "", "", "", "", "", "", "8", "8", "0.", "@", "", "", ""])", causal);
            return workOf("aten::_scaled_dot_product_flash_attention_backward",
                          "[[1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8, 4], [1, 2, 8], "
                          "[], [], [], [], [], [], [], [], []]",
                          "float", values.c_str());
        };
        // 2 heads x 8 x 8 = 128 pairs, 5 matrix products of 2 x 4 operations for each: 5120, 2.5 times the
        // 2048 of the forward pass. Q, K, V and their gradients, and that of the output: 7 x 64 elements.
        QCOMPARE(figures(flash("False")), QByteArray("5120 | 1792"));
        QCOMPARE(flash("False")->kind, OperatorWork::Kind::AttentionBackward);
        QCOMPARE(figures(flash("True")), QByteArray("2560 | 1792"));
        QCOMPARE(figures(flash("")), QByteArray("none"));
        // A kind of mask instead of a flag: 0 none, 1 causal. Length before heads. 2 x 128 x (4 + 4), 4 x 64.
        const auto efficient = [](const char* lengths, const char* kind) {
            const std::string dims = filled(
                "[[1, 8, 2, 4], [1, 8, 2, 4], [1, 8, 2, 4], [], @, [], [], [], [], [], []]", lengths);
            const std::string values = filled(R"(["", "", "", "", "", "", "", "", "0.", "@", "True"])", kind);
            return workOf("aten::_efficient_attention_forward", dims.c_str(), "float", values.c_str());
        };
        QCOMPARE(figures(efficient("[]", "0")), QByteArray("2048 | 1024"));
        QCOMPARE(figures(efficient("[]", "1")), QByteArray("1024 | 1024"));
        QCOMPARE(figures(efficient("[]", "3")), QByteArray("none"));
        // Several sequences in one batch: which queries meet which keys is not in the shapes.
        QCOMPARE(figures(efficient("[3]", "0")), QByteArray("none"));
    }
    void elementwise()
    {
        const auto work = [](const char* name, const char* dims, const char* types) {
            return figures(operatorWork(name, {dims, types, "", ""}));
        };
        // A copy of 4 elements to each of 3 rows: 12 written with 4 bytes, 4 read with 2.
        QCOMPARE(work("aten::copy_", "[[3, 4], [4], []]", R"(["float", "c10::BFloat16", "Scalar"])"),
                 QByteArray("12 | 56"));
        QCOMPARE(work("aten::pow", "[[5, 2], []]", R"(["float", "Scalar"])"), QByteArray("10 | 80"));
        QCOMPARE(work("aten::silu", "[[5, 2]]", R"(["c10::Half"])"), QByteArray("10 | 40"));
        const auto unary = operatorWork("aten::neg", {"[[7]]", R"(["float"])", "", ""});
        QVERIFY(unary && unary->kind == OperatorWork::Kind::Unary);
        QCOMPARE(parameter(unary, "op_shape"), std::string("(7,)"));
        // To the power of a tensor, or the greater of two, is no operation of one tensor.
        QCOMPARE(work("aten::pow", "[[5, 2], [5, 2]]", R"(["float", "float"])"), QByteArray("none"));
        QCOMPARE(work("aten::clamp_min", "[[5, 2], [5, 2]]", R"(["float", "float"])"), QByteArray("none"));
        QCOMPARE(work("aten::copy_", "[[0, 4], [4], []]", R"(["float", "float", "Scalar"])"),
                 QByteArray("none"));
        QCOMPARE(work("aten::threshold_backward", "[[3, 4], [3, 4], []]",
                      R"(["c10::Half", "c10::Half", "Scalar"])"),
                 QByteArray("12 | 72"));
    }
    /// The type of a result is not the longest of the inputs' types.
    void typesOfResults()
    {
        const auto work = [](const char* name, const char* dims, const char* types) {
            return figures(operatorWork(name, {dims, types, "", ""}));
        };
        // A number beside a tensor: 12 read with 2 bytes, 1 with 8, 12 written with 2.
        const char* const scaled = R"(["c10::BFloat16", "double"])";
        QCOMPARE(work("aten::mul", "[[3, 4], []]", scaled), QByteArray("12 | 56"));
        QCOMPARE(work("aten::mul", "[[3, 4], [3, 4]]", scaled), QByteArray("12 | 216")); // 24 + 96 + 96
        // Whole numbers and floating ones make floating ones: 24 + 48 + 24.
        QCOMPARE(work("aten::mul", "[[3, 4], [3, 4]]", R"(["c10::BFloat16", "int"])"), QByteArray("12 | 96"));
        // In place the first keeps its type: 24 + 48 + 24.
        QCOMPARE(work("aten::add_", "[[3, 4], [3, 4]]", R"(["c10::BFloat16", "float"])"),
                 QByteArray("12 | 96"));
        // The program's default type, or a third one.
        QCOMPARE(work("aten::add", "[[3], []]", R"(["int", "float"])"), QByteArray("none"));
        QCOMPARE(work("aten::div", "[[3], [3]]", R"(["int", "int"])"), QByteArray("none"));
        QCOMPARE(work("aten::add", "[[3], [3]]", R"(["c10::Half", "c10::BFloat16"])"), QByteArray("none"));
    }
    void normalizations()
    {
        // 24 elements, 4 weights: 5 x 24 + 6 x 4 operations; 48 elements and 6 vectors of 4 (mean, variance
        // read and written, weights, bias).
        const char* const layer = R"(["", "[4]", "", "", "1e-05"])";
        const auto norm = workOf("aten::native_layer_norm", "[[2, 3, 4], [], [4], [4], []]", "float", layer);
        QCOMPARE(figures(norm), QByteArray("144 | 288"));
        QCOMPARE(norm->kind, OperatorWork::Kind::Normalization);
        QCOMPARE(parameter(norm, "num_channels"), std::string("4"));
        QCOMPARE(figures(workOf("aten::native_layer_norm", "[[2, 3, 4], [], [], [], []]", "float", layer)),
                 QByteArray("144 | 256")); // two vectors less
        QCOMPARE(figures(workOf("aten::native_layer_norm", "[[2, 3, 5], [], [5], [5], []]", "float", layer)),
                 QByteArray("none"));
        // Fixed statistics of 3 channels: 2 x 24 + 6 x 3; 48 elements and 4 vectors of 3.
        const auto batch = [](const char* training) {
            const std::string values = filled(R"(["", "", "", "", "", "@", "0.1", "1e-05"])", training);
            return figures(workOf("aten::native_batch_norm", "[[2, 3, 4], [3], [3], [3], [3], [], [], []]",
                                  "c10::Half", values.c_str()));
        };
        QCOMPARE(batch("False"), QByteArray("66 | 120"));
        QCOMPARE(batch("True"), QByteArray("138 | 132")); // 5 x 24 + 18; 48 + 6 x 3
        QCOMPARE(batch(""), QByteArray("none"));
        // 4 x 24 + 2 x 6 rows; 48 + 4.
        QCOMPARE(figures(workOf("aten::_fused_rms_norm", "[[2, 3, 4], [], [4], []]", "float",
                                R"(["", "[4]", "", ""])")),
                 QByteArray("108 | 208"));
    }
    void normalizationsBackward()
    {
        const auto layer = [](const char* mask) {
            const std::string values = filled(R"(["", "", "[4]", "", "", "", "", "@"])", mask);
            return figures(workOf("aten::native_layer_norm_backward",
                                  "[[2, 3, 4], [2, 3, 4], [], [2, 3, 1], [2, 3, 1], [4], [4], []]", "float",
                                  values.c_str()));
        };
        // 9 x 24; 3 x 24 elements and 4 vectors of 4 (deviation, weights, two gradients).
        QCOMPARE(layer("[True, True, True]"), QByteArray("216 | 352"));
        QCOMPARE(layer("[False, True, True]"), QByteArray("96 | 256")); // 4 x 24; 48 + 16
        // Fixed statistics: 6 x 24 + 3 x 3; 72 + 4 x 3.
        QCOMPARE(figures(workOf("aten::native_batch_norm_backward",
                                "[[2, 3, 4], [2, 3, 4], [3], [3], [3], [3], [3], [], [], []]", "float",
                                R"(["", "", "", "", "", "", "", "False", "1e-05", "[True, True, True]"])")),
                 QByteArray("153 | 336"));
        // (1 + 1 + 6 + 2) x 24; 72 + 2 x 4.
        QCOMPARE(
            figures(workOf("aten::_fused_rms_norm_backward", "[[2, 3, 4], [2, 3, 4], [], [2, 3, 1], [4], []]",
                           "float", R"(["", "", "[4]", "", "", "[True, True]"])")),
            QByteArray("240 | 320"));
    }
    void reductions()
    {
        const auto sum = [](const char* type, const char* dimensions, const char* asked = "") {
            const std::string types = filled(R"(["@", "ScalarList", "Scalar", ""])", type);
            const std::string values = filled(filled(R"(["", "@", "True", "@"])", dimensions), asked);
            return figures(operatorWork("aten::sum", {"[[2, 3, 4], [], [], []]", types, "", values}));
        };
        QCOMPARE(sum("float", "[-1]"), QByteArray("24 | 120")); // 24 read, 6 written
        QCOMPARE(sum("float", "[]"), QByteArray("24 | 100")); // 1 written
        QCOMPARE(sum("c10::Half", "[0, 2]", "6"), QByteArray("24 | 60")); // 48 + 3 of float
        QCOMPARE(sum("bool", "[1]"), QByteArray("24 | 88")); // 24 + 8 of long
        QCOMPARE(sum("float", "[3]"), QByteArray("none"));
        QCOMPARE(sum("float", "[1, -2]"), QByteArray("none")); // the same one twice
        QCOMPARE(sum("float", ""), QByteArray("none")); // a list that was not written
        const auto work = [](const char* name, const char* dims, const char* types, const char* values) {
            return operatorWork(name, {dims, types, "", values});
        };
        // Of all elements: one input, or a type instead of dimensions.
        QCOMPARE(figures(work("aten::max", "[[2, 3]]", R"(["float"])", "")), QByteArray("6 | 28"));
        QCOMPARE(figures(work("aten::sum", "[[2, 3], []]", R"(["c10::Half", ""])", R"(["", "6"])")),
                 QByteArray("6 | 16"));
        QCOMPARE(figures(work("aten::std", "[[2, 3], []]", R"(["float", "Scalar"])", R"(["", "True"])")),
                 QByteArray("6 | 28"));
        // The greatest along a dimension, and where: 24 + 2 x 4 + 2 x 8.
        const auto greatest = work("aten::max", "[[2, 3], [], []]", R"(["float", "Scalar", "Scalar"])",
                                   R"(["", "1", "False"])");
        QCOMPARE(figures(greatest), QByteArray("6 | 48"));
        QCOMPARE(greatest->kind, OperatorWork::Kind::Reduction);
        QCOMPARE(parameter(greatest, "num_output_elems"), std::string("2"));
        QCOMPARE(parameter(greatest, "reduce_type"), std::string("max"));
        QCOMPARE(figures(work("aten::max", "[[2, 3], [2, 3]]", R"(["float", "float"])", R"(["", ""])")),
                 QByteArray("none"));
        QCOMPARE(figures(work("aten::cumsum", "[[2, 3], [], []]", R"(["c10::Half", "Scalar", ""])",
                              R"(["", "1", ""])")),
                 QByteArray("6 | 24"));
        QCOMPARE(figures(work("aten::linalg_vector_norm", "[[1, 5, 4], [], [], [], []]",
                              R"(["c10::BFloat16", "Scalar", "ScalarList", "Scalar", ""])",
                              R"(["", "2.", "[-1]", "True", ""])")),
                 QByteArray("20 | 50")); // 40 + 10
    }
    /// A file may say anything: nothing overflows, and nothing is said of what cannot be.
    void impossibleInputs()
    {
        const char* const steps = R"(["", "", "", "[@]", "[0]", "[1]", "False", "[0]", "1"])";
        for (const char* stride : {"0", "-1", "4611686018427387904", "1, 1", "x"})
            QVERIFY2(!workOf("aten::convolution", "[[1, 3, 4], [3, 3, 2], [], [], [], [], [], [], []]",
                             "float", filled(steps, stride).c_str()),
                     stride);
        for (const char* dims : {"[[-2, 3], [-2, 3]]", "[[9223372036854775807], [1]]",
                                 "[[1099511627776, 1099511627776, 1099511627776], [1]]"})
            QVERIFY2(!workOf("aten::add", dims, "float"), dims);
        QVERIFY(!workOf("aten::sum", "[[0, 1099511627776, 1099511627776, 1099511627776], [], [], []]",
                        "float", R"(["", "[0]", "True", ""])"));
        QVERIFY(!workOf("aten::unheard", "[[2], [2]]", "float"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOperatorWork)
#include "tst_operator_work.moc"
