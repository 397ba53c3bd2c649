/** A GUID as HCN writes it: lower case, no braces. */
export type Guid = string;

/** The sixteen bytes of a Windows GUID structure: three little-endian numbers, then eight bytes as they stand. */
export function guidBytes(guid: Guid): Uint8Array {
  const bytes = Uint8Array.from(guid.replaceAll('-', '').match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  );
  return Uint8Array.from([
    ...bytes.slice(0, 4).reverse(),
    ...bytes.slice(4, 6).reverse(),
    ...bytes.slice(6, 8).reverse(),
    ...bytes.slice(8, 16),
  ]);
}
