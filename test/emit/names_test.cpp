// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and numbers in the artefacts. Expected values by the rules stated in
// ModelInterface.h and Text.h.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "compiler/emit/ObjectCheck.h"
#include "compiler/emit/Text.h"
#include "compiler/support/ModelInterface.h"

using namespace aotc;
using namespace aotc::text;

TEST_CASE("any text becomes a C identifier") {
  CHECK(toCIdentifier("conv2d/Relu:0") == "conv2d_Relu_0");
  CHECK(toCIdentifier("") == "tensor");
  CHECK(toCIdentifier("///") == "tensor");
  CHECK(toCIdentifier("\xC3\xA9t\xC3\xA9") == "t");
  CHECK(toCIdentifier("3d_pool") == "t3d_pool");
  CHECK(toCIdentifier("_x") == "x"); // leading underscores are reserved
  for (const char *word : {"int", "class", "alignas", "main", "typeof"})
    CHECK(toCIdentifier(word) == std::string("t_") + word);
}

TEST_CASE("a model's name is no function of the C library") {
  for (const char *word : {"time", "index", "abort", "yn"})
    CHECK(toModelName(word) == std::string("m_") + word);
  for (const char *word : {"timer", "dex", "kws"}) // parts of such names are fine
    CHECK(toModelName(word) == word);
  CHECK(toModelName("class") == "t_class");
  CHECK(toCIdentifier("time") == "time"); // a tensor's: only part of a name
}

TEST_CASE("long sentences take several lines of at most 80 characters") {
  const std::string word(20, 'x'); // three of them and what stands before: 3 * 21 - 1 + 4 = 66
  std::string three = word + " " + word + " " + word;
  CHECK(wrapped(three, "  - ", "    ") == "  - " + three + "\n");
  CHECK(wrapped(three + " " + word, "  - ", "    ") == "  - " + three + "\n    " + word + "\n");
  const std::string exact(14, 'y'); // 66 + 14 = 80 with no space between: one too many
  CHECK(wrapped(three + " " + exact, "  - ", "    ") == "  - " + three + "\n    " + exact + "\n");
  CHECK(wrapped(three + " " + exact.substr(1), "  - ", "    ") ==
        "  - " + three + " " + exact.substr(1) + "\n");
  const std::string huge(100, 'z'); // is not broken
  CHECK(wrapped("a " + huge, "- ", "  ") == "- a\n  " + huge + "\n");
  CHECK(wrapped(huge, "- ", "  ") == "- " + huge + "\n");
}

TEST_CASE("several names stay apart in upper case") {
  // Macros are in upper case, so "A" and "a" clash; "a_2" is taken.
  CHECK(toCIdentifiers({"a", "A", "a_2", "a"}) ==
        std::vector<std::string>{"a", "A_3", "a_2", "a_4"});
  CHECK(toCIdentifiers({"", ""}) == std::vector<std::string>{"tensor", "tensor_2"});
}

TEST_CASE("the ABI symbol changes with everything a caller compiles in") {
  ModelInterface model;
  model.name = "kws";
  model.modelSha256 = "00";
  model.regions.push_back({"arena", "arena", 100, 16, {}, {}, ""});
  IoTensor input;
  input.symbol = "x";
  input.type = DType::s8;
  input.shape = {1, 10};
  input.bytes = 10;
  input.scale = 0.5;
  input.zeroPoint = 1;
  model.inputs.push_back(input);
  std::string base = model.abiSymbol();
  CHECK(base.substr(0, 9) == "kws_abi1_");
  CHECK(base.size() == 9 + 16);

  auto differs = [&](auto change) {
    ModelInterface other = model;
    change(other);
    return other.abiSymbol() != base;
  };
  CHECK(differs([](ModelInterface &m) { m.modelSha256 = "01"; }));
  CHECK(differs([](ModelInterface &m) { m.regions[0].bytes = 101; }));
  CHECK(differs([](ModelInterface &m) { m.regions[0].align = 8; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].offset = 4; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].type = DType::u8; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].shape = {10, 1}; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].scale = 0.5000001; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].zeroPoint = 2; }));
  CHECK(differs([](ModelInterface &m) { m.inputs[0].symbol = "y"; }));
  CHECK(differs([](ModelInterface &m) { std::swap(m.inputs, m.outputs); }));
  CHECK_FALSE(differs([](ModelInterface &m) { m.codeBytes = 7; }));
}

TEST_CASE("numbers") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(floatLiteral(0.25) == "0.25f");
  CHECK(floatLiteral(1) == "1.0f");
  CHECK(floatLiteral(0.1) == "0.1f");
  CHECK(floatLiteral(1.0 / 3) == "0.33333334f"); // the float nearest to 1/3
  CHECK(shapeText({1, 49, 10}) == "1x49x10");
  CHECK(shapeText({}) == "scalar");
}

TEST_CASE("users' names are harmless in a C comment") {
  CHECK(printable("a*/b/*c") == "a* /b/ *c");
  CHECK(printable("x\\\n") == "x/?");
  CHECK(printable("*\\") == "* /");
}

TEST_CASE("long names are cut for tables") {
  CHECK(shortName("a/Relu;b/Add;c") == "a/Relu");
  CHECK(shortName(std::string(40, 'x')) == std::string(40, 'x'));
  // 40 = 12 + 3 + 25
  CHECK(shortName("functional_1/resnet/stage_3/block_2/activation_7/Relu") ==
        "functional_1...block_2/activation_7/Relu");
  CHECK(shortName("0123456789abcdef", 9) == "01...cdef"); // 2 + 3 + 4
}

TEST_CASE("a remark without the choice it begins with") {
  LayerRecord layer;
  layer.kernel = "aotc_conv_2d_s8__ref";
  CHECK(passedOver(layer).empty()); // a copy
  layer.remark = "aotc_conv_2d_s8__ref";
  CHECK(passedOver(layer).empty());
  layer.remark += "; aotc_conv_2d_s8_1x1__dsp rejected: kernel is not 1x1; a rejected: b";
  CHECK(passedOver(layer) == "aotc_conv_2d_s8_1x1__dsp rejected: kernel is not 1x1; a rejected: b");
}

TEST_CASE("the undefined symbols an object may have") {
  for (const char *symbol : {"memcpy", "memmove", "memset"}) {
    CHECK(isAllowedUndefined(symbol, Family::x86));
    CHECK(isAllowedUndefined(symbol, Family::armM));
    CHECK(isAllowedUndefined(symbol, Family::armA));
  }
  for (const char *symbol : {"__aeabi_memclr8", "__aeabi_memcpy", "__aeabi_lmul", "__aeabi_fadd",
                             "__aeabi_uidivmod", "__clzsi2"}) {
    CHECK(isAllowedUndefined(symbol, Family::armM));
    CHECK(isAllowedUndefined(symbol, Family::armA));
    CHECK_FALSE(isAllowedUndefined(symbol, Family::aarch64));
  }
  for (const char *symbol : {"malloc", "sinf", "__aeabi_atexit", "__aeabi_memclr2",
                             "__aeabi_unwind_cpp_pr0", "bcmp", "strlen"})
    CHECK_FALSE(isAllowedUndefined(symbol, Family::armM));
  for (const char *symbol : {"aotc_layer_begin", "aotc_layer_end"}) {
    CHECK(isAllowedUndefined(symbol, Family::x86, /*hooks=*/true));
    CHECK_FALSE(isAllowedUndefined(symbol, Family::x86));
  }
  CHECK_FALSE(isAllowedUndefined("aotc_layer", Family::x86, /*hooks=*/true));
}
