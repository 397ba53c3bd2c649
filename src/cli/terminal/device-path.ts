/** A file on a drive, on a volume, or in a shadow copy. */
const localFile =
  /^(?:[A-Z]:|Volume\{[0-9A-F-]{36}\}|GLOBALROOT\\Device\\HarddiskVolume(?:ShadowCopy)?\d{1,9})\\/i;
const networkPipe = /^[^\\]+\\(?:pipe|mailslot)(?:\\|$)/i;
/**
 * Not with an extension: node:fs opens `C:\a\aux.json` as `\\?\C:\a\aux.json`, a file in every version of Windows.
 * https://github.com/nodejs/node/issues/47258
 */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³])[ .]*(?::|$)/i;

/**
 * Whether a path is a device or a pipe to Windows, not a file, when node:fs opens it. Opening one can block or have side effects. Paths
 * such as `\\?\C:\a` and `\\server\share\a` are files. Names such as `NUL` count as devices, although node:fs opens them as files: they
 * are typed by mistake.
 */
export function isDevicePath(path: string): boolean {
  const plain = path.replaceAll('/', '\\');
  const [first = '', ...rest] = segmentsOf(plain);
  const last = plain.endsWith('\\') ? '\\' : '';
  if (plain.startsWith('\\??\\')) return true;
  if (!plain.startsWith('\\\\'))
    return deviceName.test([first, ...rest].at(-1)?.replace(/^[A-Z]:/i, '') ?? '');
  if (first !== '?' && !/^\\\\\.(?:\\|$)/.test(plain)) return networkPipe.test([first, ...rest].join('\\'));
  const name = (first === '?' ? rest : [first, ...rest]).join('\\') + last;
  const [, network] = /^UNC\\(.*)$/i.exec(name) ?? [];
  return network === undefined ? !localFile.test(name) : networkPipe.test(network);
}

/** The names in a path, without those that `..` removes. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('\\')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
