"""Pictures without Jupyter: one Scene, and an SVG, a canvas and a text hand to draw it."""
