import { HcnTimeout } from '../../hcn/errors.ts';

/** A file of a bundle; its path has slashes. */
export interface BundleFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of a file that may be long: what is cut off is its beginning, and not its end. */
  readonly newestLast?: boolean;
}

/** What a collector came back with. */
export interface Collected {
  readonly files: readonly BundleFile[];
  /** What it could not have, one reason each. */
  readonly problems?: readonly string[];
  /** Why there are no files, where that is no problem. */
  readonly absent?: string;
}

/** One row of what a bundle is collected from. It may reject: its error is then the one problem. */
export interface Collector {
  readonly name: string;
  /** What its files are, for README.txt. */
  readonly about: string;
  /** After these it is given up, whatever it does by then. */
  readonly seconds: number;
  collect(): Promise<Collected>;
}

/** A file with a text, in UTF-8. */
export function textFile(path: string, text: string): BundleFile {
  return { path, bytes: new TextEncoder().encode(text.endsWith('\n') ? text : `${text}\n`) };
}

/** Why something was not to be had, in a line. */
export function reasonOf(error: unknown): string {
  if (error instanceof HcnTimeout && !error.tried)
    return 'not asked for: what was asked before has taken all the time there is';
  return error instanceof Error ? error.message : String(error);
}
