import fc from 'fast-check';
import { assertProper } from './proper-answer.ts';
import type { Property } from './property.ts';
import { carryOut } from './request.ts';
import { requests } from './requests.ts';

/** For every kind of request: it prints one JSON document or none, and the exit code matches. */
export const runProperties: readonly Property[] = Object.entries(requests).map(([name, request]) => ({
  name: `with ${name}`,
  property: fc.asyncProperty(request, async (one) => assertProper(await carryOut(one))),
  runs: { test: 300, fuzz: 7_500 },
}));
