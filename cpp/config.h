// Reading the strings of a plugin instance: numbers, names and lists of them.

#ifndef GROUSER_CONFIG_H_
#define GROUSER_CONFIG_H_

#include <mujoco/mujoco.h>

#include <string>
#include <string_view>
#include <vector>

namespace grouser {

// The value of a configuration key of an instance; empty where it is not given.
std::string_view Value(const mjModel* m, int instance, const char* key);

// Split at a separator; parts are trimmed, empty parts are left out. ' ' splits at any white space.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Undo percent-encoding ("front%20left" is "front left").
std::string Decode(std::string_view text);

// Read one finite number in any locale; false if the text is anything else.
bool ReadNumber(std::string_view text, mjtNum* value);

// Read exactly n numbers.
bool ReadNumbers(std::string_view text, int n, mjtNum* values);

}  // namespace grouser

#endif  // GROUSER_CONFIG_H_
