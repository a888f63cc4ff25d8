// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/emit/Html.h"

#include "compiler/emit/MemoryMap.h"

#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

// Embedded from report/ (CMakeLists.txt).
extern "C" {
extern const char aotc_report_html_data[], aotc_report_html_end[];
extern const char aotc_report_css_data[], aotc_report_css_end[];
extern const char aotc_report_js_data[], aotc_report_js_end[];
}

static StringRef file(const char *data, const char *end) {
  return StringRef(data, static_cast<size_t>(end - data)).rtrim('\n');
}

/// "<" stands in strings only, where JSON knows another spelling: no text can
/// look like the end of the script element or like a comment.
static std::string scriptSafe(StringRef json) {
  std::string result;
  for (char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

std::string aotc::printReportHtml(const ModelInterface &model) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Marks are "@WORD@"; what replaces one is not looked at again.
  StringRef page = file(aotc_report_html_data, aotc_report_html_end);
  while (!page.empty()) {
    auto [before, rest] = page.split('@');
    os << before;
    if (rest.empty())
      break;
    auto [mark, after] = rest.split('@');
    if (mark == "TITLE")
      os << model.name; // a C identifier
    else if (mark == "STYLE")
      os << file(aotc_report_css_data, aotc_report_css_end);
    else if (mark == "SCRIPT")
      os << file(aotc_report_js_data, aotc_report_js_end);
    else if (mark == "DATA")
      os << scriptSafe(StringRef(printMapJson(model, /*indent=*/0)).rtrim('\n'));
    page = after;
  }
  os << '\n';
  return text;
}
