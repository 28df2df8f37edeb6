// Anderson's acceleration of a fixed-point iteration, with a short memory.

#include "anderson.h"

#include <algorithm>

namespace grouser {
namespace {

// Keeps the small least-squares problem solvable where differences are nearly parallel; relative to its largest entry.
constexpr mjtNum kRegularisation = 1e-14;
// After this many calls the memory starts anew, from a point part of the way to g(x).
constexpr int kRestart = 12;
constexpr mjtNum kDamping = 0.3;

}  // namespace

void Anderson::Start(int n) {
  n_ = n;
  calls_ = 0;
  const size_t size = static_cast<size_t>(n);
  if (f_last_.size() < size) {
    f_last_.resize(size);
    g_last_.resize(size);
    df_.resize(kMemory * size);
    dg_.resize(kMemory * size);
  }
}

// Solve min |f - df w|; returns how many columns there are.
int Anderson::Weights(const mjtNum* f) {
  const int columns = std::min(calls_, kMemory);
  mjtNum largest = 0;
  for (int i = 0; i < columns; i++) {
    for (int j = 0; j < columns; j++) gram_[i * columns + j] = mju_dot(Slot(df_, i), Slot(df_, j), n_);
    right_[i] = mju_dot(Slot(df_, i), f, n_);
    largest = std::max(largest, gram_[i * columns + i]);
  }
  if (largest <= 0) return 0;
  for (int i = 0; i < columns; i++) gram_[i * columns + i] += kRegularisation * largest;
  if (mju_cholFactor(gram_, columns, mjMINVAL * largest) < columns) return 0;
  mju_cholSolve(weight_, gram_, right_, columns);
  return columns;
}

void Anderson::Advance(mjtNum* x, const mjtNum* g) {
  if (calls_ == kRestart) {  // what has not settled goes to and fro between two regimes: start between them
    calls_ = 0;
    for (int i = 0; i < n_; i++) x[i] += kDamping * (g[i] - x[i]);
    return;
  }
  // f = g - x goes into the slot of its difference first: the differences need it there anyway
  mjtNum* f = calls_ > 0 ? Slot(df_, calls_ - 1) : f_last_.data();
  mju_sub(f, g, x, n_);
  if (calls_ == 0) {
    mju_copy(g_last_.data(), g, n_);
    mju_copy(x, g, n_);
    calls_++;
    return;
  }
  mjtNum* dg = Slot(dg_, calls_ - 1);
  mju_sub(dg, g, g_last_.data(), n_);
  mju_copy(g_last_.data(), g, n_);
  for (int i = 0; i < n_; i++) {  // f into f_last_, its difference into the slot
    const mjtNum now = f[i];
    f[i] = now - f_last_[i];
    f_last_[i] = now;
  }
  const int columns = Weights(f_last_.data());
  mju_copy(x, g, n_);
  for (int k = 0; k < columns; k++) mju_addToScl(x, Slot(dg_, k), -weight_[k], n_);
  calls_++;
}

}  // namespace grouser
