/** Error codes of the CNI specification (section 5, "Error"); 999 as Go's library defines it; ours start at 100. */
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

/** A failure in the caller's vocabulary: what `msg`, `code` and `details` of the error object will say. */
export class CniError extends Error {
  override readonly name = 'CniError';
  readonly code: number;
  readonly details: string;
  /** For the log, in the place of a message that quotes what was given to us: that may be secret. */
  readonly unquoted: string | undefined;

  constructor(
    code: number,
    message: string,
    options: { details?: string; unquoted?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? '';
    this.unquoted = options.unquoted;
  }
}

/** The error object of the specification, in the given version. Empty details are left out. */
export function renderError(error: CniError, cniVersion: string): object {
  return {
    cniVersion,
    code: error.code,
    msg: error.message,
    ...(error.details === '' ? {} : { details: error.details }),
  };
}
