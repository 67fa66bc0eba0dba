"""What browser tests ask of a page."""

#: Whether a canvas has next to nothing on it.
IS_BLANK = """canvas => {
  const {width, height} = canvas;
  const data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
  const colours = new Set();
  for (let at = 0; at < data.length; at += 397 * 4)
    colours.add(`${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`);
  return colours.size < 3;
}"""
