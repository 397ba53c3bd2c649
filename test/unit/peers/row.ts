/** By difference in the form of `differences`: a sentence with the reason and its evidence. */
export type Reasons = Readonly<Record<string, string>>;

/** What another HCN client sends for an intent, and why win-hcn differs. */
export interface Row {
  readonly intent: string;
  readonly peer: string;
  /** Repository, file and function that build the peer's document. */
  readonly source: string;
  /** What the peer sends, in full: a call, several of them, or a part of a document. */
  readonly theirs: unknown;
  /** What win-hcn sends, in the same form. */
  readonly ours: () => Promise<unknown>;
  readonly reasons: Reasons;
}

/** An HCN call that sends a document or deletes an object. */
export interface Sent {
  readonly call: string;
  readonly id?: string;
  readonly document?: unknown;
}
