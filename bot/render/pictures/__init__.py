"""From what everybody may see of a hand to the values of a picture, and to its description in words."""
