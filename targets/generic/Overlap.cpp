// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance of a read splits into terms of image, row, column and channel,
// so that the largest is found per axis. Along an axis the distance is linear
// but for the positions whose window begins in the padding.
#include "targets/generic/Overlap.h"

#include <algorithm>

namespace aotc {

namespace {

/// The largest `written - read`; absent without reads.
using Lead = std::optional<int64_t>;

Lead operator+(Lead a, Lead b) { return a && b ? Lead(*a + *b) : std::nullopt; }

/// The leads of an image, a row or a pixel, relative to its start.
struct Leads {
  Lead all;   ///< over all its reads
  Lead later; ///< over the reads that follow a write

  void add(Lead lead, bool first, Lead ifFirst) {
    all = std::max(all, lead); // absent is less than any number
    later = std::max(later, first ? ifFirst : lead);
  }
};

/// Output positions of one axis and the input positions their windows read.
struct Axis {
  int64_t outputs, inputs, taps, dilation, stride, pad;

  Axis mirrored() const {
    Axis other = *this;
    other.pad = (outputs - 1) * stride + (taps - 1) * dilation + 1 - inputs - pad;
    return other;
  }

  /// The first input read for output i, if any.
  Lead firstRead(int64_t i) const {
    const int64_t origin = i * stride - pad;
    const int64_t tap = origin < 0 ? (dilation - 1 - origin) / dilation : 0;
    const int64_t read = origin + tap * dilation;
    return tap < taps && read < inputs ? Lead(read) : std::nullopt;
  }

  /// Where distances may have their maximum: outputs that begin in the padding,
  /// two beyond, and the last one that begins in the image. `block` > 1: also
  /// the begins of blocks next to those.
  template <typename Visit> void corners(int64_t block, Visit visit) const {
    auto check = [&](int64_t i) {
      if (i >= 0 && i < outputs)
        visit(i);
    };
    const int64_t border = pad > 0 ? (pad + stride - 1) / stride : 0;
    for (int64_t i = 0; i < std::min(outputs, border + 2); ++i)
      check(i);
    const int64_t last = std::min(outputs - 1, (inputs - 1 + pad) / stride);
    check(last);
    if (block <= 1)
      return;
    const int64_t whole = outputs / block * block;
    for (int64_t i : {(border / block + 1) * block, whole - block, whole, last / block * block})
      check(i);
  }
};

/// One direction: a walk first to last.
struct Walk {
  Axis rows, columns;
  const PixelWalk &walk;
  bool mirrored = false;

  int64_t inPixel() const { return walk.rows.inRowBytes / walk.inWidth; }
  int64_t outPixel() const { return walk.rows.outRowBytes / walk.outWidth; }

  Leads pixel() const {
    Leads leads;
    if (walk.pixelsAtOnce) {
      leads.add(0, true, std::nullopt);
      return leads;
    }
    const int64_t element = outPixel() / walk.outChannels;
    const int64_t filters = walk.outChannels / walk.groups;
    const int64_t part = inPixel() / walk.groups;
    if (walk.channelsAtOnce > 1) {
      // Written before the last channels read: all but them.
      const int64_t most = walk.channelsAtOnce, all = walk.outChannels;
      const int64_t before = mirrored ? all - std::min(all, most) : (all - 1) / most * most;
      leads.add(0, true, std::nullopt);
      if (before)
        leads.add(before * element, false, std::nullopt);
      return leads;
    }
    // Linear in the group, and in the channel within a group.
    for (int64_t group : {int64_t(0), int64_t(1), walk.groups - 1}) {
      if (group >= walk.groups)
        continue;
      for (int64_t channel : {group * filters, (group + 1) * filters - 1})
        leads.add(channel * element - group * part, channel == 0, std::nullopt);
    }
    return leads;
  }

  /// Pixels of the row that were written before pixel x is read.
  int64_t pixelsBefore(int64_t x) const {
    const int64_t block = walk.pixelsAtOnce;
    const bool inBlock = block > 0 && (walk.restAtOnce || x < walk.outWidth / block * block);
    return inBlock ? x / block * block : x;
  }

  Leads row() const {
    Leads leads;
    const Leads pixel = this->pixel();
    columns.corners(walk.pixelsAtOnce, [&](int64_t x) {
      const Lead read = columns.firstRead(x);
      if (!read)
        return;
      const int64_t before = pixelsBefore(x);
      const Lead own = before * outPixel() - *read * inPixel();
      leads.add(own + pixel.all, before == 0, own + pixel.later);
    });
    return leads;
  }

  Leads image() const {
    Leads leads;
    const Leads row = this->row();
    rows.corners(1, [&](int64_t y) {
      const Lead read = rows.firstRead(y);
      if (!read)
        return;
      const Lead own = y * walk.rows.outRowBytes - *read * walk.rows.inRowBytes;
      leads.add(own + row.all, y == 0, own + row.later);
    });
    return leads;
  }

  Lead farthest() const {
    Leads leads;
    const Leads image = this->image();
    const RowGeometry &g = walk.rows;
    for (int64_t batch : {int64_t(0), int64_t(1), g.batches - 1}) {
      if (batch >= g.batches)
        continue;
      const Lead own = batch * (g.outRows * g.outRowBytes - g.inRows * g.inRowBytes);
      leads.add(own + image.all, batch == 0, own + image.later);
    }
    return leads.later;
  }
};

} // namespace

int64_t anyDistance(int64_t inBytes, int64_t outBytes) { return -std::max(inBytes, outBytes); }

PixelWalk pixelByPixel(int64_t pixels, int64_t inPixelBytes, int64_t outPixelBytes,
                       int64_t outChannels) {
  PixelWalk walk;
  walk.inWidth = walk.outWidth = pixels;
  walk.outChannels = outChannels;
  walk.rows.inRows = walk.rows.outRows = 1;
  walk.rows.inRowBytes = pixels * inPixelBytes;
  walk.rows.outRowBytes = pixels * outPixelBytes;
  return walk;
}

OverlapRule overlapOf(const PixelWalk &walk) {
  const RowGeometry &g = walk.rows;
  const Axis rows = {g.outRows,      g.inRows, (g.windowRows - 1) / walk.dilationH + 1,
                     walk.dilationH, g.stride, g.padTop};
  const Axis columns = {walk.outWidth,  walk.inWidth, walk.kernelW,
                        walk.dilationW, walk.strideW, walk.padLeft};
  const int64_t inBytes = g.batches * g.inRows * g.inRowBytes;
  const int64_t outBytes = g.batches * g.outRows * g.outRowBytes;
  const int64_t any = anyDistance(inBytes, outBytes);

  OverlapRule rule;
  rule.ascending = Walk{rows, columns, walk}.farthest().value_or(any);
  // Seen from their ends, input and output start out + outBytes - (in +
  // inBytes) apart.
  const Lead mirrored = Walk{rows.mirrored(), columns.mirrored(), walk, true}.farthest();
  rule.descending = mirrored ? *mirrored + inBytes - outBytes : any;
  return rule;
}

} // namespace aotc
