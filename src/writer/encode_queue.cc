#include "writer/encode_queue.h"

#include <algorithm>
#include <utility>

namespace tailrace {

void EncodeQueue::Push(Chunk chunk, ChunkHold hold) {
  if (row_groups_.empty() || row_groups_.back().complete) row_groups_.emplace_back();
  RowGroup& group = row_groups_.back();
  group.referenced_bytes += chunk.referenced_bytes;
  group.complete = chunk.ends_row_group;
  group.chunks.push_back({std::move(chunk), std::move(hold)});
}

void EncodeQueue::EndRowGroup() {
  if (!row_groups_.empty()) row_groups_.back().complete = true;
}

int64_t EncodeQueue::ready() const {
  int64_t ready = 0;
  for (int64_t i = 0; i < in_work(); ++i) {
    const RowGroup& group = row_groups_[i];
    ready += group.CanStart() ? 1 : 0;
    for (const Unit& unit : group.units) ready += group.CanTake(unit) ? 1 : 0;
  }
  return ready;
}

std::optional<EncodeStep> EncodeQueue::Take() {
  for (int64_t i = 0; i < in_work(); ++i) {
    RowGroup& group = row_groups_[i];
    std::optional<EncodeStep> step;
    if (group.CanStart()) {
      group.starting = true;
      step = EncodeStep{.starts = true, .chunk = group.chunks.front().chunk.batch};
    }
    const Unit* best = nullptr;
    for (const Unit& unit : group.units) {
      if (!group.CanTake(unit)) continue;
      const bool better =
          best == nullptr || unit.next < best->next || (unit.next == best->next && unit.weight > best->weight);
      if (better) best = &unit;
    }
    if (best != nullptr) step = TakeUnit(&group, static_cast<size_t>(best - group.units.data()));
    if (!step) continue;
    step->row_group = first_ + i;
    return step;
  }
  return std::nullopt;
}

EncodeStep EncodeQueue::TakeUnit(RowGroup* group, size_t unit) {
  Unit& taken = group->units[unit];
  taken.busy = true;
  EncodeStep step{.unit = unit};
  if (taken.next < group->pushed()) {
    const Chunk& chunk = group->chunks[taken.next - group->first_chunk].chunk;
    step.chunk = chunk.batch;
    step.bytes = chunk.referenced_bytes / static_cast<int64_t>(group->units.size());
  }
  step.ends = group->complete && taken.next + 1 >= group->pushed();
  return step;
}

void EncodeQueue::Started(int64_t row_group, std::vector<int64_t> weights) {
  for (const int64_t weight : weights) At(row_group).units.push_back({.weight = weight});
}

EncodeQueue::Done EncodeQueue::Encoded(const EncodeStep& step) {
  RowGroup& group = At(step.row_group);
  Unit& unit = group.units[step.unit];
  unit.busy = false;
  unit.ended = step.ends;
  if (step.chunk != nullptr) ++unit.next;
  if (step.ends) ++group.units_ended;
  Done done{.ends_row_group = step.ends && group.units_ended == group.units.size()};
  int64_t encoded_by_all = unit.next;
  for (const Unit& other : group.units) encoded_by_all = std::min(encoded_by_all, other.next);
  for (; group.first_chunk < encoded_by_all; ++group.first_chunk) {
    Queued& queued = group.chunks.front();
    auto& holds = queued.chunk.ends_row_group ? group.held_to_the_end : done.holds;
    holds.push_back(std::move(queued.hold));
    done.chunks.push_back(std::move(queued.chunk.batch));
    group.chunks.pop_front();
  }
  return done;
}

EncodeQueue::Left EncodeQueue::PopRowGroup() {
  RowGroup& group = row_groups_.front();
  Left left{first_, group.referenced_bytes, std::move(group.held_to_the_end)};
  row_groups_.pop_front();
  ++first_;
  return left;
}

}  // namespace tailrace
