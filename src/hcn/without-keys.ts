/** The JSON of a document without what is secret in it: the preshared keys of Encryption policies. */
export function withoutKeys(document: unknown): string {
  return JSON.stringify(document, (name, value: unknown) =>
    name === 'Key' && typeof value === 'string' ? '(secret)' : value,
  );
}
