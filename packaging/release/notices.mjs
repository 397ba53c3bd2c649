/** The licenses of everything inside an executable, as one text. */

const line = '='.repeat(80);

/**
 * One section for each component, Node last, because its license is the longest.
 * @param {readonly import('./components.mjs').Component[]} components those of one architecture
 */
export function noticesOf(components) {
  const isNode = ({ name }) => name === 'nodejs';
  const sorted = [...components.filter((found) => !isNode(found)), ...components.filter(isNode)];
  const titles = sorted.map(({ name, version, license }) => `${name} ${version} (${license})`);
  return [
    'win-hcn is licensed under MIT: see LICENSE. win-hcn.exe also contains:',
    '',
    ...titles.map((title) => `- ${title}`),
    '',
    ...sorted.flatMap(({ texts = [] }, index) => [
      line,
      titles[index],
      line,
      '',
      ...texts.flatMap((text) => [withUnixLines(text).trim(), '']),
    ]),
  ].join('\n');
}

function withUnixLines(text) {
  return text.replaceAll('\r\n', '\n');
}
