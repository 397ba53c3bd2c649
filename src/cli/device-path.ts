/** A file on a drive or a volume, whose name Windows does not interpret. */
const literalFile = /^\\\\\?\\(?:[A-Z]:|Volume\{[0-9A-F-]{36}\})\\/i;
/** `\\.\`, `\\?\` and `\??\`: the names of all devices. */
const namespace = /^\\(?:\\[.?]|\?\?)\\/;
const networkPath = /^\\\\(?:\?\\UNC\\)?(?=[^\\?.])[^\\]+\\/i;
const networkPipe = /^(?:pipe|mailslot)(?:\\|$)/i;
/** Also with an extension, as in `NUL.txt`. https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:[.:]|$)/i;

/**
 * Whether Windows takes a path for a device or a pipe, and not for a file. Opening one can block, or have effects. Paths such as
 * `\\?\C:\a` and `\\server\share\a` are files.
 */
export function isDevicePath(path: string): boolean {
  const plain = path.replaceAll('/', '\\');
  if (literalFile.test(plain)) return false;
  const [server] = networkPath.exec(plain) ?? [];
  if (server !== undefined) return networkPipe.test(plain.slice(server.length));
  if (namespace.test(plain)) return true;
  const name = plain.slice(plain.lastIndexOf('\\') + 1).replace(/^[A-Z]:/i, '');
  return deviceName.test(name);
}
