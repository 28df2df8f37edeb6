// What the plugin knows of a model: its belts, contact materials and servos, read once per mjData.

#include "model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "config.h"

namespace grouser {
namespace {

std::string InstanceName(const mjModel* m, int instance) {
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  return name ? name : "";
}

// What attaching a spec to another has put before and after every name of it.
struct Affix {
  std::string before, after;
  std::string operator()(const std::string& name) const { return before + name + after; }
};

// All affixes that turn the name in the configuration into the name of the instance, the shortest suffix first.
std::vector<Affix> Affixes(const std::string& instance_name, const std::string& name) {
  std::vector<Affix> found;
  if (name.empty() || instance_name.empty()) return {Affix{}};
  for (size_t at = instance_name.rfind(name); at != std::string::npos;
       at = at > 0 ? instance_name.rfind(name, at - 1) : std::string::npos) {
    found.push_back({instance_name.substr(0, at), instance_name.substr(at + name.size())});
  }
  return found;
}

std::string Fault(const std::string& instance, const char* key, std::string_view value, const std::string& rule) {
  return "grouser: plugin instance '" + instance + "', key '" + key + "' = '" + std::string(value) + "': " + rule;
}

// Reads one grouser.belt instance.
class BeltReader {
 public:
  BeltReader(const mjModel* m, int instance, Description* out)
      : m_(m), instance_(instance), name_(InstanceName(m, instance)), out_(out) {}

  std::string Read() {
    Belt belt;
    belt.instance = instance_;
    std::string fault = ReadNumericKeys(&belt);
    if (!fault.empty()) return fault;
    const std::vector<std::string_view> geoms = Split(Get("geoms"), ' ');
    if (geoms.empty()) return Wrong("geoms", "a belt needs at least one geom");
    const std::string own = Decode(Get("name"));
    for (const Affix& affix : Affixes(name_, own)) {
      if (mj_name2id(m_, mjOBJ_GEOM, affix(Decode(geoms[0])).c_str()) < 0) continue;
      fault = ReadGeoms(affix, geoms, &belt);
      if (fault.empty()) fault = ReadDrives(affix, &belt);
      if (fault.empty()) out_->belts.push_back(belt);
      return fault;
    }
    return Wrong("geoms",
                 "no geom of that name; names are written without what attaching adds to them, and the "
                 "instance's name must contain the key 'name' ('" +
                     own + "')");
  }

 private:
  std::string_view Get(const char* key) const { return Value(m_, instance_, key); }
  std::string Wrong(const char* key, const std::string& rule) const { return Fault(name_, key, Get(key), rule); }

  std::string ReadNumericKeys(Belt* belt) const {
    if (!ReadNumbers(Get("axis"), 3, belt->axis) || mju_normalize3(belt->axis) < mjMINVAL) {
      return Wrong("axis", "expected three finite numbers, not all zero");
    }
    if (!ReadNumbers(Get("center"), 3, belt->center)) return Wrong("center", "expected three finite numbers [m]");
    if (!ReadNumber(Get("width"), &belt->width) || belt->width <= 0) {
      return Wrong("width", "expected one number > 0 [m]");
    }
    return "";
  }

  std::string ReadGeoms(const Affix& affix, const std::vector<std::string_view>& geoms, Belt* belt) const {
    belt->body = -1;
    for (const std::string_view written : geoms) {
      const std::string name = affix(Decode(written));
      const int geom = mj_name2id(m_, mjOBJ_GEOM, name.c_str());
      if (geom < 0) return Wrong("geoms", "no geom named '" + name + "'");
      if (belt->body >= 0 && m_->geom_bodyid[geom] != belt->body) {
        return Wrong("geoms", "geom '" + name + "' is on another body; all geoms of a belt are on one body");
      }
      if (out_->geom_belt[geom] >= 0) return Wrong("geoms", "geom '" + name + "' belongs to another belt already");
      belt->body = m_->geom_bodyid[geom];
      out_->geom_belt[geom] = static_cast<int>(out_->belts.size());
      out_->geom_run[geom] = m_->geom_type[geom] == mjGEOM_BOX;
    }
    return "";
  }

  std::string ReadDrives(const Affix& affix, Belt* belt) const {
    const std::vector<std::string_view> parts = Split(Get("drives"), ' ');
    if (parts.empty() || parts.size() % 2) return Wrong("drives", "expected 'joint gain', once for each drive");
    for (size_t i = 0; i < parts.size(); i += 2) {
      const std::string name = affix(Decode(parts[i]));
      const int joint = mj_name2id(m_, mjOBJ_JOINT, name.c_str());
      if (joint < 0) return Wrong("drives", "no joint named '" + name + "'");
      if (m_->jnt_type[joint] != mjJNT_HINGE && m_->jnt_type[joint] != mjJNT_SLIDE) {
        return Wrong("drives", "joint '" + name + "' is neither hinge nor slide");
      }
      mjtNum gain;
      if (!ReadNumber(parts[i + 1], &gain) || gain == 0) {
        return Wrong("drives", "the gain of '" + name + "' is not a finite number other than 0");
      }
      belt->drives.push_back({m_->jnt_dofadr[joint], gain});
    }
    return MergeDrives(belt);
  }

  // A joint named twice is one drive with the sum of the gains.
  std::string MergeDrives(Belt* belt) const {
    std::vector<Drive> merged;
    for (const Drive& drive : belt->drives) {
      auto same = std::find_if(merged.begin(), merged.end(), [&](const Drive& d) { return d.dof == drive.dof; });
      if (same == merged.end()) {
        merged.push_back(drive);
      } else {
        same->gain += drive.gain;
      }
    }
    belt->drives = merged;
    return "";
  }

  const mjModel* m_;
  const int instance_;
  const std::string name_;
  Description* out_;
};

// Reads the grouser.contact instances: one table of materials for the whole model.
class ContactReader {
 public:
  ContactReader(const mjModel* m, Description* out) : m_(m), out_(out) { ids_["default"] = 0; }

  std::string Read(int instance, bool first) {
    const std::string name = InstanceName(m_, instance);
    std::string fault = first ? ReadLimits(instance, name) : "";
    if (fault.empty()) fault = ReadMembers(instance, name);
    if (fault.empty()) fault = ReadPairs(instance, name);
    return fault;
  }

  void Finish() {
    const int n = static_cast<int>(ids_.size());
    out_->materials = n;
    out_->friction.assign(static_cast<size_t>(n) * n, -1);
    for (const Pair& pair : pairs_) {
      out_->friction[pair.a * n + pair.b] = out_->friction[pair.b * n + pair.a] = pair.friction;
    }
  }

 private:
  struct Pair {
    int a, b;
    mjtNum friction;
  };

  int Id(const std::string& material) { return ids_.emplace(material, static_cast<int>(ids_.size())).first->second; }

  std::string ReadLimits(int instance, const std::string& name) {
    const std::string_view iterations = Value(m_, instance, "iterations");
    mjtNum value;
    if (!iterations.empty()) {
      if (!ReadNumber(iterations, &value) || value < 0 || value > 1000 || value != std::floor(value)) {
        return Fault(name, "iterations", iterations, "expected an integer from 0 to 1000");
      }
      out_->iterations = static_cast<int>(value);
    }
    const std::string_view tolerance = Value(m_, instance, "tolerance");
    if (!tolerance.empty()) {
      if (!ReadNumber(tolerance, &value) || value <= 0 || value >= 1) {
        return Fault(name, "tolerance", tolerance, "expected a number between 0 and 1");
      }
      out_->tolerance = value;
    }
    return "";
  }

  std::string ReadMembers(int instance, const std::string& name) {
    const std::string_view members = Value(m_, instance, "members");
    const std::vector<Affix> affixes = Affixes(name, Decode(Value(m_, instance, "name")));
    for (const std::string_view group : Split(members, ';')) {
      const size_t equals = group.find('=');
      if (equals == std::string_view::npos) {
        return Fault(name, "members", group, "expected 'material=geom,geom;...'");
      }
      const std::vector<std::string_view> names = Split(group.substr(0, equals), ' ');
      if (names.size() != 1) return Fault(name, "members", group, "expected one material before '='");
      const int material = Id(Decode(names[0]));
      for (const std::string_view written : Split(group.substr(equals + 1), ',')) {
        int geom = -1;
        for (size_t i = 0; i < affixes.size() && geom < 0; i++) {
          geom = mj_name2id(m_, mjOBJ_GEOM, affixes[i](Decode(written)).c_str());
        }
        if (geom < 0) return Fault(name, "members", written, "no geom of that name");
        out_->geom_material[geom] = material;
      }
    }
    return "";
  }

  std::string ReadPairs(int instance, const std::string& name) {
    for (const std::string_view text : Split(Value(m_, instance, "pairs"), ';')) {
      const std::vector<std::string_view> parts = Split(text, ',');
      Pair pair;
      if (parts.size() != 3 || !ReadNumber(parts[2], &pair.friction) || pair.friction < 0) {
        return Fault(name, "pairs", text, "expected 'material,material,friction;...' with friction >= 0");
      }
      pair.a = Id(Decode(parts[0]));
      pair.b = Id(Decode(parts[1]));
      pairs_.push_back(pair);
    }
    return "";
  }

  const mjModel* m_;
  Description* out_;
  std::map<std::string, int> ids_;
  std::vector<Pair> pairs_;
};

void ReadChains(const mjModel* m, Description* out) {
  out->chain_address.assign(m->nbody + 1, 0);
  for (int body = 0; body < m->nbody; body++) {
    out->chain_address[body] = static_cast<int>(out->chain.size());
    int ancestor = body;
    while (ancestor > 0 && m->body_dofnum[ancestor] == 0) ancestor = m->body_parentid[ancestor];
    if (ancestor > 0) {
      for (int dof = m->body_dofadr[ancestor] + m->body_dofnum[ancestor] - 1; dof >= 0; dof = m->dof_parentid[dof]) {
        out->chain.push_back(dof);
      }
    }
  }
  out->chain_address[m->nbody] = static_cast<int>(out->chain.size());
}

void ReadSensors(const mjModel* m, Description* out) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_PLUGIN) {
      out->acceleration_sensors |= m->sensor_needstage[i] == mjSTAGE_ACC;
      continue;
    }
    const int instance = m->sensor_plugin[i];
    if (instance < 0 || !IsOurs(m, instance)) continue;
    int belt = -1;
    for (size_t b = 0; b < out->belts.size(); b++) {
      if (out->belts[b].instance == instance) belt = static_cast<int>(b);
    }
    out->outputs.push_back({m->sensor_adr[i], belt});
  }
}

std::string_view PluginName(const mjModel* m, int instance) {
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  return plugin && plugin->name ? plugin->name : "";
}

}  // namespace

bool IsOurs(const mjModel* m, int instance) {
  const std::string_view name = PluginName(m, instance);
  return name == kBeltPlugin || name == kContactPlugin;
}

int Leader(const mjModel* m) {
  for (int i = 0; i < m->nplugin; i++) {
    if (IsOurs(m, i)) return i;
  }
  return -1;
}

std::string Describe(const mjModel* m, Description* out) {
  out->geom_belt.assign(m->ngeom, -1);
  out->geom_run.assign(m->ngeom, 0);
  out->geom_material.assign(m->ngeom, 0);
  ReadChains(m, out);
  ContactReader contacts(m, out);
  bool first = true;
  for (int i = 0; i < m->nplugin; i++) {
    std::string fault;
    if (PluginName(m, i) == kBeltPlugin) {
      fault = BeltReader(m, i, out).Read();
    } else if (PluginName(m, i) == kContactPlugin) {
      fault = contacts.Read(i, first);
      first = false;
    }
    if (!fault.empty()) return fault;
  }
  contacts.Finish();
  ReadSensors(m, out);
  return "";
}

}  // namespace grouser
