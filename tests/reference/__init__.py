"""A plain NumPy reference of the engine plugin: slow, dense, and written from docs/physics.md alone."""
