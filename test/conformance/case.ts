// A black-box case: requests as data, or a story.

import { expect } from 'vitest';
import type { HnsOptions } from '../simulator/hns.ts';
import type { Node, Request } from './node.ts';

/**
 * The expected outcome of one request: an error (one of the codes; message or details contain each text; nothing is left),
 * a result that contains this, or success without output.
 */
export type Outcome =
  | { readonly error: number | readonly number[]; readonly says?: readonly string[] }
  | { readonly result: object }
  | 'nothing';

export interface Row extends Request {
  /** Distinguishes the rows of a case. */
  readonly what?: string;
  readonly becomes: Outcome;
}

export type Story = (node: Node) => Promise<void>;

export interface Case {
  /** What requires it: a section of the specification with its MUST, SHOULD or MAY, the conventions, or a library. */
  readonly spec?: string;
  /** How `says` deviates from `spec`. */
  readonly deviation?: { readonly requires: string; readonly because: string };
  readonly says: string;
  readonly rows?: readonly Row[];
  readonly story?: Story;
  /** Distinguishes stories with the same sentence. */
  readonly what?: string;
  /** Whether it also runs as the exe under Wine, or only there. */
  readonly windows?: 'too' | 'only';
  readonly hns?: HnsOptions;
}

/** One test of a case. */
export interface CaseTest extends Pick<Case, 'hns' | 'windows'> {
  readonly title: string;
  /** Distinguishes it from others with its title. */
  readonly what?: string;
  readonly run: Story;
}

export function testsOf({ says, rows = [], story, what, windows, hns }: Case): readonly CaseTest[] {
  const common = { title: says, ...(windows && { windows }), ...(hns && { hns }) };
  return [
    ...rows.map((row) => ({
      ...common,
      ...(row.what !== undefined && { what: row.what }),
      run: (node: Node) => expectOutcome(node, row),
    })),
    ...(story === undefined ? [] : [{ ...common, ...(what !== undefined && { what }), run: story }]),
  ];
}

export async function expectOutcome(node: Node, { what: _, becomes, ...request }: Row): Promise<void> {
  const before = stateOf(node);
  const answer = await node.cni(request);
  if (becomes === 'nothing') {
    expect(answer).toMatchObject({ ok: true, stdout: '' });
  } else if ('result' in becomes) {
    expect(answer).toMatchObject({ ok: true, json: becomes.result });
  } else {
    expectRefusal(answer, becomes.error, ...(becomes.says ?? []));
    expect(stateOf(node)).toEqual(before);
  }
}

/** Expects an error with one of the codes, whose message or details contain each text. */
export function expectRefusal(
  { ok, json, stdout }: { readonly ok: boolean; readonly json: unknown; readonly stdout: string },
  code: number | readonly number[],
  ...texts: readonly string[]
): void {
  expect({ ok, stdout }, 'expected an error').toMatchObject({ ok: false });
  const codes = typeof code === 'number' ? [code] : code;
  expect(json).toMatchObject({ code: expect.toSatisfy((found) => codes.includes(found), `one of ${codes}`) });
  const { msg, details = '' } = json as { readonly msg: string; readonly details?: string };
  for (const text of texts) expect(`${msg}\n${details}`).toContain(text);
}

/** Returns all objects that an ADD may leave. */
export function stateOf({ hns, ipam }: Node): object {
  const { networks, endpoints, loadBalancers } = hns.dump();
  return { networks, endpoints, loadBalancers, leases: ipam.leases };
}
