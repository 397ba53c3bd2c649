// An executable that reports another version and has another addon, as after a release with a new koffi.

/** Returns the bytes of a win-hcn executable with a version of the same length, and without code caches, which contain the old one. */
export function withVersion(executable: Uint8Array, current: string, version: string): Buffer {
  const bytes = Buffer.from(executable);
  const [name = ''] = /win-hcn-koffi-[0-9a-f]{16}\.node/.exec(bytes.toString('latin1')) ?? [];
  const changed = [
    replaceAll(bytes, `"${current}",`, `"${version}",`, isOwnVersion),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of packaging/start.cjs
    replaceAll(bytes, '${filename}.${command}.cache', '${filename}.${command}.other'),
    replaceAll(bytes, name, `win-hcn-koffi-${version.replaceAll('.', '').padStart(16, '0')}.node`),
  ];
  if (changed.includes(0)) throw new Error(`the executable has no version ${current}, code cache or addon`);
  return bytes;
}

/** The same text is a version of CNI, which is in a list or an expression. */
function isOwnVersion(before: string): boolean {
  return /(?:\w=|version:)$/.test(before);
}

function replaceAll(
  bytes: Buffer,
  from: string,
  to: string,
  accept: (before: string) => boolean = () => true,
): number {
  let count = 0;
  for (let at = bytes.indexOf(from, 0, 'latin1'); at !== -1; at = bytes.indexOf(from, at + 1, 'latin1')) {
    if (!accept(bytes.toString('latin1', at - 8, at))) continue;
    bytes.write(to, at, 'latin1');
    count += 1;
  }
  return count;
}
