"""Text on the stage: glyphs, cards, captions, labels and legends."""
