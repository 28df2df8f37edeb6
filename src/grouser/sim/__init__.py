"""The simulator: worlds of robots and objects, stepped by MuJoCo."""
