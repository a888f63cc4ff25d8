// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .npy layout (NumPy, "numpy.lib.format"): magic "\x93NUMPY", version, the
// header's length (2 bytes in version 1, 4 later), a Python dictionary with
// 'descr', 'fortran_order' and 'shape', then the data.

#include "compiler/run/TensorFile.h"
#include "compiler/run/Process.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"

#include <optional>

using namespace aotc;

namespace {

constexpr llvm::StringLiteral npyMagic("\x93NUMPY");

/// A shape as Python and .npy write it: (1, 2), (3,).
std::string tupleText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
};

/// The text after 'key': in the dictionary, or nothing.
std::optional<llvm::StringRef> valueOf(llvm::StringRef header, llvm::StringRef key) {
  for (const char *quote : {"'", "\""}) {
    size_t at = header.find((quote + key + quote).str());
    if (at == llvm::StringRef::npos)
      continue;
    llvm::StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
    if (rest.consume_front(":"))
      return rest.ltrim();
  }
  return std::nullopt;
}

/// Reads the fixed form NumPy writes; anything else is refused.
std::optional<NpyHeader> parseHeader(llvm::StringRef header) {
  NpyHeader result;
  std::optional<llvm::StringRef> descr = valueOf(header, "descr");
  std::optional<llvm::StringRef> order = valueOf(header, "fortran_order");
  std::optional<llvm::StringRef> shape = valueOf(header, "shape");
  if (!descr || descr->size() < 2 || !order || !shape)
    return std::nullopt;
  // A structured array's descr is a list, which starts with no quote.
  char quote = descr->front();
  size_t end = descr->find(quote, 1);
  if ((quote != '\'' && quote != '"') || end == llvm::StringRef::npos)
    return std::nullopt;
  result.descr = descr->slice(1, end).str();
  if (order->starts_with("True"))
    result.fortranOrder = true;
  else if (!order->starts_with("False"))
    return std::nullopt;
  if (!shape->consume_front("("))
    return std::nullopt;
  size_t close = shape->find(')');
  if (close == llvm::StringRef::npos)
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef> dims;
  shape->take_front(close).split(dims, ',');
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t value;
    if (i + 1 == dims.size() && dim.trim().empty())
      break; // "(3,)" and "()"
    if (dim.trim().getAsInteger(10, value) || value < 0)
      return std::nullopt;
    result.shape.push_back(value);
  }
  return result;
}

bool sameDescr(llvm::StringRef descr, llvm::StringRef expected) {
  // '=' is the byte order of the machine that wrote it, in practice little;
  // single bytes carry any mark.
  if (descr.size() != expected.size() || descr.drop_front() != expected.drop_front())
    return false;
  return descr[0] == expected[0] || descr[0] == '=' || expected[0] == '|';
}

bool fits(llvm::ArrayRef<int64_t> got, llvm::ArrayRef<int64_t> shape) {
  if (got == shape)
    return true;
  if (got.size() == shape.size() + 1 && got.drop_front() == shape)
    return true;
  return !shape.empty() && shape[0] == 1 && got.size() == shape.size() &&
         got.drop_front() == shape.drop_front();
}

} // namespace

llvm::Expected<std::string> aotc::parseNpy(llvm::StringRef content, const IoTensor &tensor,
                                           llvm::StringRef name) {
  auto fail = [&](const llvm::Twine &text) { return runError("'" + name + "': " + text); };
  // Magic, two bytes of version, the shorter length field.
  if (content.size() < 10 || !content.starts_with(npyMagic))
    return fail("not a NumPy file");
  uint8_t version = content[6];
  if (version < 1 || version > 3)
    return fail("NumPy format version " + llvm::Twine(unsigned(version)) +
                " is unknown (1 to 3 are known)");
  size_t lengthBytes = version == 1 ? 2 : 4;
  llvm::StringRef rest = content.drop_front(8);
  if (rest.size() < lengthBytes)
    return fail("the header is cut off");
  uint64_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                                 : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (length > rest.size())
    return fail("the header is cut off");
  std::optional<NpyHeader> header = parseHeader(rest.take_front(length));
  if (!header)
    return fail("the header cannot be read");
  llvm::StringRef data = rest.drop_front(length);
  llvm::StringRef descr = dtypeInfo(tensor.type).npy;
  if (!sameDescr(header->descr, descr))
    return fail("holds elements of type '" + header->descr + "', tensor '" + tensor.name +
                "' needs '" + descr + "'");
  if (header->fortranOrder)
    return fail("is in Fortran order; save it through numpy.ascontiguousarray");
  if (!fits(header->shape, tensor.shape))
    return fail("has shape " + tupleText(header->shape) + ", tensor '" + tensor.name + "' has " +
                tupleText(tensor.shape) + " (or more of these, one after the other)");
  // Against the file's length step by step: the product may overflow.
  uint64_t bytes = dtypeSize(tensor.type);
  for (int64_t dim : header->shape) {
    if (dim && bytes > data.size() / uint64_t(dim))
      return fail("holds fewer bytes than its shape " + tupleText(header->shape) + " needs");
    bytes *= dim;
  }
  if (bytes != data.size())
    return fail("holds " + llvm::Twine(data.size()) + " bytes, its shape " +
                tupleText(header->shape) + " needs " + llvm::Twine(bytes));
  return data.str();
}

llvm::Expected<std::string> aotc::readTensorFile(llvm::StringRef path, const IoTensor &tensor,
                                                 int64_t &invocations) {
  llvm::Expected<std::string> data = readFile(path);
  if (!data)
    return data.takeError();
  if (path.ends_with(".npy")) {
    data = parseNpy(*data, tensor, path);
    if (!data)
      return data.takeError();
  }
  if (tensor.bytes <= 0 || data->empty() || data->size() % tensor.bytes)
    return runError("'" + path + "': holds " + llvm::Twine(data->size()) +
                    " bytes, not a multiple of the " + llvm::Twine(tensor.bytes) +
                    " bytes of tensor '" + tensor.name + "'");
  invocations = data->size() / tensor.bytes;
  return data;
}

llvm::Error aotc::writeTensorFile(llvm::StringRef path, const IoTensor &tensor,
                                  llvm::StringRef data) {
  if (!path.ends_with(".npy"))
    return writeFile(path, data);
  std::vector<int64_t> shape = tensor.shape;
  int64_t count = tensor.bytes > 0 ? data.size() / tensor.bytes : 1;
  if (count > 1)
    shape.insert(shape.begin(), count);
  std::string header = ("{'descr': '" + dtypeInfo(tensor.type).npy +
                        "', 'fortran_order': False, 'shape': " + tupleText(shape) + ", }")
                           .str();
  // Spaces and a newline bring the data to a multiple of 64 bytes.
  size_t before = npyMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  std::string content(npyMagic);
  content += {1, 0, char(header.size() & 0xff), char(header.size() >> 8)};
  content += header;
  content += data;
  return writeFile(path, content);
}
