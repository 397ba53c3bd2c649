import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CniError, code } from '../../src/cni/error.ts';
import { foreignBytes } from './foreign-text.ts';
import { everyParser } from './parsers/every-parser.ts';
import type { Parser } from './parsers/parser.ts';
import type { Property } from './property.ts';

/** For every reader of foreign text: it returns something of bounded size, or throws an error for people. */
export const parserProperties: readonly Property[] = everyParser.map((parser) => ({
  name: `any text is read or refused: ${parser.reads}`,
  property: fc.asyncProperty(foreignBytes(parser.samples), async (bytes) => {
    const found = await outcomeOf(parser, bytes);
    const size = JSON.stringify(found, plain)?.length ?? 0;
    assert.ok(size <= 20_000 + 200 * bytes.length, `${size} characters from ${bytes.length} bytes`);
  }),
  runs: { test: 100, fuzz: 2000 },
}));

/** What a parser returns, or the message of its error. */
async function outcomeOf({ read, expects }: Parser, bytes: Uint8Array): Promise<unknown> {
  try {
    return await read(bytes);
  } catch (error) {
    if (expects?.(error) === true) return undefined;
    assert.ok(error instanceof CniError, error instanceof Error ? (error.stack ?? '') : String(error));
    assert.notEqual(error.code, code.internal, error.message);
    assert.ok(error.message.trim() !== '', 'an empty message');
    return [error.message, error.details];
  }
}

function plain(_: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === 'bigint' ? String(value) : value;
}
