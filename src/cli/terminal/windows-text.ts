/**
 * The text that a program of Windows printed or wrote: UTF-16 if it has a byte order mark or a zero after its first character, as the
 * text of `pktmon format` has been reported to be; UTF-8 if it is valid; otherwise bytes of an unknown code page, of which only ASCII is
 * certain.
 */
export function windowsText(bytes: Uint8Array): string {
  const hasMark = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (hasMark || (bytes.length > 1 && bytes[0] !== 0 && bytes[1] === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
