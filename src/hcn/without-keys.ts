/** The JSON of a document without what is secret in it: the preshared keys of Encryption policies. */
export function withoutKeys(document: unknown): string {
  return JSON.stringify(document, (name, value: unknown) =>
    isKey(name) && typeof value === 'string' ? '(secret)' : value,
  );
}

/** Whether a member of this name is a secret key, and no word such as monkey. HCN's documents have preshared ones. */
export function isKey(name: string): boolean {
  return /(?<!public[_-]?|mon|don|tur|hoc|joc|whis)key$/i.test(name);
}
