// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Csv.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace aotc::planner {
namespace {

constexpr size_t kMaxBuffers = 20'000;
constexpr std::string_view kRoles[] = {"internal", "scratch", "state", "input", "output"};

/// Splits at `separator`, without regard to quotes.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos)
      return parts;
    begin = end + 1;
  }
}

/// The fields of one line; false if a quote is not closed.
bool splitRecord(std::string_view line, std::vector<std::string> &fields) {
  fields.assign(1, "");
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return !quoted;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::optional<int64_t> toInteger(std::string_view text) {
  text = trim(text);
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

class Reader {
public:
  Reader(std::string &error) : error(error) {}
  std::optional<CsvProblem> read(std::string_view text);

private:
  bool fail(const std::string &what) {
    error = "line " + std::to_string(line) + ": " + what;
    return false;
  }
  bool readHeader(const std::vector<std::string> &fields);
  bool readBuffer(const std::vector<std::string> &fields);
  bool resolve();
  /// The field of a column, or "" if the file has no such column.
  std::string_view field(const std::vector<std::string> &fields, std::string_view column) const {
    auto at = columns.find(column);
    return at == columns.end() ? std::string_view() : trim(fields[at->second]);
  }
  /// An integer field; empty is none where that is allowed.
  bool integer(const std::vector<std::string> &fields, std::string_view column, bool required,
               std::optional<int64_t> &value);
  bool find(std::string_view id, int &buffer);

  struct Reference {
    int buffer;
    size_t line;
    std::string inside, overlap;
  };
  std::string &error;
  size_t line = 0;
  std::map<std::string, size_t, std::less<>> columns;
  std::map<std::string, int, std::less<>> numbers; ///< by id
  std::vector<Reference> references;
  CsvProblem result;
};

bool Reader::readHeader(const std::vector<std::string> &fields) {
  static constexpr std::string_view known[] = {"id",     "lower",   "upper",  "size",
                                               "name",   "align",   "role",   "fixed",
                                               "inside", "overlap", "offset", "region"};
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string name(trim(fields[i]));
    if (std::find(std::begin(known), std::end(known), name) == std::end(known))
      return fail("unknown column '" + name + "'");
    if (!columns.emplace(name, i).second)
      return fail("column '" + name + "' appears twice");
  }
  for (std::string_view name : {"id", "lower", "upper", "size"})
    if (!columns.count(name))
      return fail("no column '" + std::string(name) +
                  "'; the first line must name the columns, "
                  "at least id,lower,upper,size");
  return true;
}

bool Reader::integer(const std::vector<std::string> &fields, std::string_view column, bool required,
                     std::optional<int64_t> &value) {
  std::string_view text = field(fields, column);
  value = toInteger(text);
  if (value || (text.empty() && !required))
    return true;
  return fail(std::string(column) + " '" + std::string(text) + "' is not an integer");
}

bool Reader::readBuffer(const std::vector<std::string> &fields) {
  if (fields.size() != columns.size())
    return fail(std::to_string(fields.size()) + " fields, but " + std::to_string(columns.size()) +
                " columns");
  if (result.ids.size() == kMaxBuffers)
    return fail("more than " + std::to_string(kMaxBuffers) + " buffers");
  std::string id(field(fields, "id"));
  if (id.empty())
    return fail("empty id");
  int number = static_cast<int>(result.ids.size());
  if (!numbers.emplace(id, number).second)
    return fail("id '" + id + "' appears twice");

  std::optional<int64_t> lower, upper, size, align, fixed, offset;
  if (!integer(fields, "lower", true, lower) || !integer(fields, "upper", true, upper) ||
      !integer(fields, "size", true, size) || !integer(fields, "align", false, align) ||
      !integer(fields, "fixed", false, fixed) ||
      !integer(fields, "offset", columns.count("offset"), offset))
    return false;
  if (*lower >= *upper)
    return fail("buffer '" + id + "' never lives: lower " + std::to_string(*lower) +
                " is not below upper " + std::to_string(*upper));
  Buffer buffer;
  buffer.name = columns.count("name") ? std::string(field(fields, "name")) : id;
  buffer.size = *size;
  buffer.align = align.value_or(1);
  buffer.life = {*lower, *upper - 1};
  buffer.fixedOffset = fixed;
  if (std::string_view role = field(fields, "role"); !role.empty()) {
    auto at = std::find(std::begin(kRoles), std::end(kRoles), role);
    if (at == std::end(kRoles))
      return fail("unknown role '" + std::string(role) + "'");
    buffer.role = static_cast<Role>(at - std::begin(kRoles));
  }
  result.problem.buffers.push_back(buffer);
  result.ids.push_back(id);
  if (offset) {
    result.placements.push_back({0, *offset});
    result.regionNames.emplace_back(field(fields, "region"));
  }
  references.push_back(
      {number, line, std::string(field(fields, "inside")), std::string(field(fields, "overlap"))});
  return true;
}

bool Reader::find(std::string_view id, int &buffer) {
  auto at = numbers.find(trim(id));
  if (at == numbers.end())
    return fail("there is no buffer '" + std::string(trim(id)) + "'");
  buffer = at->second;
  return true;
}

/// Buffers may be referred to before their line.
bool Reader::resolve() {
  for (const Reference &reference : references) {
    line = reference.line;
    if (!reference.inside.empty()) {
      auto parts = split(reference.inside, '@');
      auto delta = parts.size() == 2 ? toInteger(parts[1]) : std::nullopt;
      if (!delta)
        return fail("inside '" + reference.inside + "' is not ID@BYTES");
      MustAlias alias{0, reference.buffer, *delta};
      if (!find(parts[0], alias.a))
        return false;
      result.problem.mustAlias.push_back(alias);
    }
    if (reference.overlap.empty())
      continue;
    for (std::string_view item : split(reference.overlap, ';')) {
      auto parts = split(item, ':');
      MayOverlap may;
      may.output = reference.buffer;
      bool good = parts.size() == 4 || parts.size() == 5;
      if (good) {
        may.ascending = toInteger(parts[1]);
        may.descending = toInteger(parts[2]);
        auto multiple = toInteger(parts[3]);
        auto phase = parts.size() == 5 ? toInteger(parts[4]) : 0;
        may.multiple = multiple.value_or(0);
        may.phase = phase.value_or(0);
        good = multiple && phase && (may.ascending || trim(parts[1]).empty()) &&
               (may.descending || trim(parts[2]).empty());
      }
      if (!good)
        return fail("overlap '" + std::string(item) + "' is not ID:ASC:DESC:MULTIPLE[:PHASE]");
      if (!find(parts[0], may.input))
        return false;
      result.problem.mayOverlap.push_back(may);
    }
  }
  return true;
}

std::optional<CsvProblem> Reader::read(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") // byte order mark
    text.remove_prefix(3);
  std::vector<std::string> fields;
  for (std::string_view record : split(text, '\n')) {
    ++line;
    record = trim(record);
    if (record.empty())
      continue;
    if (!splitRecord(record, fields)) {
      fail("a quote is not closed");
      return std::nullopt;
    }
    if (columns.empty() ? !readHeader(fields) : !readBuffer(fields))
      return std::nullopt;
  }
  if (columns.empty()) {
    line = 1;
    fail("the file is empty; the first line must name the columns, at least id,lower,upper,size");
    return std::nullopt;
  }
  if (!resolve())
    return std::nullopt;
  return std::move(result);
}

std::string quote(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && trim(text) == text)
    return text;
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return result + "\"";
}

std::string optionalText(std::optional<int64_t> value) {
  return value ? std::to_string(*value) : "";
}

} // namespace

std::optional<CsvProblem> parseCsv(std::string_view text, std::string &error) {
  return Reader(error).read(text);
}

bool resolveRegions(CsvProblem &csv, std::string &error) {
  const auto &regions = csv.problem.regions;
  for (size_t b = 0; b < csv.placements.size(); ++b) {
    if (csv.regionNames[b].empty())
      continue;
    auto at = std::find_if(regions.begin(), regions.end(),
                           [&](const Region &region) { return region.name == csv.regionNames[b]; });
    if (at == regions.end()) {
      error = "buffer '" + csv.ids[b] + "' is in region '" + csv.regionNames[b] +
              "', which there is not";
      return false;
    }
    csv.placements[b].region = static_cast<int>(at - regions.begin());
  }
  return true;
}

std::string printCsv(const Problem &problem, const std::vector<std::string> &ids,
                     const Plan *plan) {
  const auto &buffers = problem.buffers;
  auto id = [&](size_t b) { return ids.empty() ? std::to_string(b) : quote(ids[b]); };
  // Columns beyond MiniMalloc's only where something is to be said.
  auto any = [&](auto has) { return std::any_of(buffers.begin(), buffers.end(), has); };
  bool named =
      any([&](const Buffer &b) { return ids.empty() || b.name != ids[&b - buffers.data()]; });
  bool aligned = any([](const Buffer &b) { return b.align != 1; });
  bool roles = any([](const Buffer &b) { return b.role != Role::internal; });
  bool fixed = any([](const Buffer &b) { return b.fixedOffset.has_value(); });

  std::string out = "id,lower,upper,size";
  out += named ? ",name" : "";
  out += aligned ? ",align" : "";
  out += roles ? ",role" : "";
  out += fixed ? ",fixed" : "";
  out += problem.mustAlias.empty() ? "" : ",inside";
  out += problem.mayOverlap.empty() ? "" : ",overlap";
  bool several = plan && problem.regions.size() > 1;
  out += plan ? ",offset" : "";
  out += several ? ",region\n" : "\n";
  for (size_t b = 0; b < buffers.size(); ++b) {
    const Buffer &buffer = buffers[b];
    out += id(b) + "," + std::to_string(buffer.life.first) + "," +
           std::to_string(buffer.life.last + 1) + "," + std::to_string(buffer.size);
    if (named)
      out += "," + quote(buffer.name);
    if (aligned)
      out += "," + std::to_string(buffer.align);
    if (roles)
      out += "," + std::string(kRoles[static_cast<size_t>(buffer.role)]);
    if (fixed)
      out += "," + optionalText(buffer.fixedOffset);
    if (!problem.mustAlias.empty()) {
      out += ",";
      for (const MustAlias &alias : problem.mustAlias)
        if (alias.b == static_cast<int>(b))
          out += id(alias.a) + "@" + std::to_string(alias.delta);
    }
    if (!problem.mayOverlap.empty()) {
      std::string list;
      for (const MayOverlap &may : problem.mayOverlap)
        if (may.output == static_cast<int>(b))
          list += (list.empty() ? "" : ";") + id(may.input) + ":" + optionalText(may.ascending) +
                  ":" + optionalText(may.descending) + ":" + std::to_string(may.multiple) +
                  (may.phase ? ":" + std::to_string(may.phase) : "");
      out += "," + list;
    }
    if (plan)
      out += "," + std::to_string(plan->placements[b].offset);
    if (several)
      out += "," + quote(problem.regions[plan->placements[b].region].name);
    out += "\n";
  }
  return out;
}

} // namespace aotc::planner
