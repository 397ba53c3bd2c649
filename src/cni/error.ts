/** Error codes of the CNI specification (section 5, "Error"); 999 as in Go's library; win-hcn's own start at 100. */
export const code = {
  incompatibleVersion: 1,
  unsupportedField: 2,
  unknownContainer: 3,
  invalidEnvironment: 4,
  ioFailure: 5,
  decodingFailure: 6,
  invalidConfig: 7,
  tryAgainLater: 11,
  notAvailable: 50,
  notAvailableAndDegraded: 51,
  hcnFailure: 100,
  alreadyAttached: 101,
  notAsExpected: 102,
  ipamFailure: 103,
  hcnMissing: 104,
  internal: 999,
} as const;

/** What an error says besides its message: details for stderr and the log, its cause, and text without quotations. */
export interface ErrorOptions {
  readonly details?: string;
  /** For the log, instead of a message that quotes input: the input may contain secrets. */
  readonly unquoted?: string | undefined;
  readonly cause?: unknown;
}

/** The base class of win-hcn's errors: `code`, `msg` and `details` of CNI's error object. */
export class CniError extends Error {
  override readonly name: string = 'CniError';
  readonly code: number;
  readonly details: string;
  readonly unquoted: string | undefined;

  constructor(code: number, message: string, { details = '', unquoted, cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.unquoted = unquoted;
  }
}

/** An error for a configuration, or an address, that cannot be used: code 7. */
export function invalidConfig(message: string, details = ''): CniError {
  return new CniError(code.invalidConfig, message, { details });
}

/** The code of an error of Node, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The message of anything that was thrown, of at most 4 kB. */
export function errorMessage(error: unknown): string {
  return shortMessage(wholeMessage(error));
}

/** The message of anything that was thrown, however long, for the log. */
export function wholeMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error itself if it is one of win-hcn's, otherwise an internal error (code 999). */
export function toCniError(error: unknown): CniError {
  if (error instanceof CniError) return error;
  return new CniError(code.internal, `internal error: ${wholeMessage(error)}`, {
    details: 'report it with the configuration and the output of cmd /c ver',
    cause: error,
  });
}

/** The error with further failures in its details. */
export function withDetails(error: unknown, ...failures: readonly (string | undefined)[]): CniError {
  const first = toCniError(error);
  if (!failures.some(Boolean)) return first;
  const details = [first.details, ...failures].filter(Boolean).join('; ');
  const { unquoted } = first;
  return new CniError(first.code, first.message, { details, unquoted, cause: first.cause ?? first });
}

/**
 * The error to report when a call was refused and the look-up of the reason failed too. If HNS is unavailable, that failure comes
 * first, so that the runtime retries; otherwise the refusal comes first. The other error is in the details.
 */
export function afterRefusal(refusal: Error, lookup: unknown): CniError {
  const failure = toCniError(lookup);
  return failure.code === code.tryAgainLater
    ? withDetails(lookup, refusal.message)
    : withDetails(refusal, failure.message);
}

/** The error object of the specification, in the given version, with texts of at most 4 kB. Empty details are left out. */
export function renderError(error: CniError, cniVersion: string): object {
  return {
    cniVersion,
    code: error.code,
    msg: shortMessage(error.message),
    ...(error.details === '' ? {} : { details: shortMessage(error.details) }),
  };
}

/** The size limit of a message, in bytes of JSON, which escapes control characters. */
export const messageBytes = 4096;

/** A text of at most `most` bytes in JSON: cut at a character boundary and ended with `...` if it is longer. */
export function shortMessage(text: string, most = messageBytes): string {
  let bytes = 0;
  let end = 0;
  let cut = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > most) return `${text.slice(0, cut)}...`;
    end += character.length;
    if (bytes <= most - 3) cut = end;
  }
  return text;
}

/** The first line, with the number of the others; empty for no lines. */
export function firstOf([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} (and ${others.length} more)`];
}
