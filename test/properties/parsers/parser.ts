/** A reader of text that another program wrote. */
export interface Parser {
  /** Whose text it reads. */
  readonly reads: string;
  /** The functions that read it, by module in `src`. Those that they call to read parts of the text are included. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  readonly samples: readonly string[];
  /** Reads the bytes as the callers of the functions do. */
  readonly read: (bytes: Uint8Array) => unknown;
  /** Whether an error besides CniError, with a code other than 999, is what callers expect. */
  readonly expects?: (error: unknown) => boolean;
}

/** As most callers decode: invalid UTF-8 becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The JSON object in a text; an empty one if the text has none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
