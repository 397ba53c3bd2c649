/**
 * A page script that returns all text with a contrast below 4.5 to 1, the minimum of WCAG 2.2 level AA. It supports only opaque colors.
 * https://www.w3.org/TR/WCAG22/#contrast-minimum
 */
export const lowContrasts = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color)
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
  };
  const opacity = (element) =>
    element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
  const ratio = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: element, data } = walker.currentNode;
    if (data.trim() === '' || element.offsetParent === null) continue;
    const contrast = ratio(getComputedStyle(element).color, behind(element));
    if (contrast < 4.5 || opacity(element) < 1)
      found.push(data + ': ' + contrast.toFixed(2) + ', opacity ' + opacity(element));
  }
  return [...new Set(found)];
})()`;
