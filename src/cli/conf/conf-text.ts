/** The width that a value may have on one line. */
const widest = 110;

/**
 * JSON with short lists and objects on one line, and without characters outside ASCII: Windows PowerShell changes those when it passes
 * text from one program to another.
 */
export function confText(conflist: object): string {
  const text = `${format(conflist, '')}\n`;
  return text.replaceAll(
    /[^\n -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function format(value: unknown, indent: string): string {
  const inline = spaced(value);
  const isPlugin = /"plugins":|"type": "win-hcn"/.test(inline);
  if (typeof value !== 'object' || value === null || (!isPlugin && indent.length + inline.length <= widest))
    return inline;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Array.isArray(value)
    ? value.map((item) => format(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${format(item, inner)}`);
  return `${open}\n${members.map((member) => `${inner}${member}`).join(',\n')}\n${indent}${close}`;
}

/** On one line, with spaces as in `{ "subnet": "10.244.1.0/24" }`. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
