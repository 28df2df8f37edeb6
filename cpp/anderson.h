// Anderson's acceleration of a fixed-point iteration, with a short memory.

#ifndef GROUSER_ANDERSON_H_
#define GROUSER_ANDERSON_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace grouser {

// Finds x = g(x) from few evaluations of g. Source: Walker and Ni, "Anderson acceleration for fixed-point iterations",
// SIAM J. Numer. Anal. 49 (2011), the type-II form.
class Anderson {
 public:
  // Forget everything; the next iteration has n unknowns.
  void Start(int n);

  // Replace x by the next point to try, given g(x).
  void Advance(mjtNum* x, const mjtNum* g);

 private:
  static constexpr int kMemory = 5;

  mjtNum* Slot(std::vector<mjtNum>& columns, int k) { return columns.data() + static_cast<size_t>(k % kMemory) * n_; }
  int Weights(const mjtNum* f);

  int n_ = 0;
  int calls_ = 0;
  std::vector<mjtNum> f_last_, g_last_;  // of the last call                                (n)
  std::vector<mjtNum> df_, dg_;          // differences of consecutive f = g - x, and of g  (kMemory x n)
  mjtNum gram_[kMemory * kMemory], weight_[kMemory], right_[kMemory];
};

}  // namespace grouser

#endif  // GROUSER_ANDERSON_H_
