import { describeHresult, isNotExecuted, isUnavailable } from './hresults.ts';
import { remedyFor } from './remedies.ts';

/** A call HCN refused or did not carry out: what we were doing, what HCN said, what to do next. */
export class HcnError extends Error {
  override readonly name = 'HcnError';
  /** Unsigned. */
  readonly hresult: number;
  /** What HNS added to its message, such as the member of a document it did not take. */
  readonly record: string;

  constructor(doing: string, hresult: number, errorRecord: string | undefined) {
    const record = errorRecord ?? '';
    super(`${doing}: HCN said ${describeHresult(hresult)}${detailOf(record)}. ${remedyFor(hresult)}`);
    this.hresult = hresult;
    this.record = record;
  }

  /** Whether the service itself failed, so that what was asked for may have happened or not. */
  get unavailable(): boolean {
    return isUnavailable(this.hresult);
  }
}

/** A call that did not answer within its deadline. It may still be carried out. */
export class HcnTimeout extends Error {
  override readonly name = 'HcnTimeout';

  constructor(call: string, seconds: number) {
    super(
      `${call} did not answer within ${seconds} s: the Host Network Service hangs or is overloaded. ` +
        'Look at it with Get-Service hns; the call is tried anew with the next request.',
    );
  }
}

/** HCN answered with something that is no document of its kind. */
export class HcnNonsense extends Error {
  override readonly name = 'HcnNonsense';
}

/** HCN's library cannot be loaded on this machine. */
export class HcnMissing extends Error {
  override readonly name = 'HcnMissing';
}

/** Whether it is unknown if the failed call took effect, or still will. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof HcnError) return error.unavailable && !isNotExecuted(error.hresult);
  return error instanceof HcnTimeout || error instanceof HcnNonsense;
}

/** HNS puts what it found wrong behind its standard text, in double braces: `{{CreateWithCompartment,UnknownField}}`. */
function detailOf(errorRecord: string): string {
  const braces = /\{\{.*\}\}/.exec(errorRecord)?.[0];
  return braces === undefined ? '' : ` ${braces}`;
}
