import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { readResult } from '../../src/cni/read-result.ts';
import { supportedVersions } from '../../src/cni/version.ts';
import { allowedMilliseconds } from './deadlines.ts';
import type { Ended } from './request.ts';

/** Asserts what holds for every answer, whatever the request and the faults. */
export function assertProper(ended: Ended): void {
  const { exitCode, stdout, command, took, timersLeft } = ended;
  const allowed = allowedMilliseconds(ended);
  assert.ok(took <= allowed, `${command} took ${took} ms on the clock, more than ${allowed}`);
  assertChanges(ended);
  const isKept = exitCode === 0 && ended.met.late === 0 && timersLeft > 0;
  assert.ok(!isKept, `${timersLeft} timers keep the process after its answer`);
  if (stdout === '') {
    assert.equal(exitCode, 0);
    assert.match(command, /^(DEL|CHECK|GC|STATUS)$/);
    return;
  }
  const answer = readAnswer(stdout);
  assert.ok(supportedVersions.some((version) => version === answer['cniVersion']));
  assert.equal('code' in answer, exitCode === 1);
  if (exitCode === 1) assertError(answer);
  else if (command === 'ADD') assert.ok(readResult(answer, 'the result').ips.length > 0);
  else assert.deepEqual([command, answer['supportedVersions']], ['VERSION', supportedVersions]);
}

/** Asserts which objects of the service a command may change. */
function assertChanges({ command, exitCode, stdout, met, before, after }: Ended): void {
  const added = after.endpoints.filter((id) => !before.endpoints.includes(id));
  if (command === 'ADD' && exitCode === 0) assert.ok(added.length > 0 || met.faulty > 0);
  else if (command === 'ADD') {
    const isKept = after.networks.length > before.networks.length && stdout.includes('was created and stays');
    const expected = isKept ? { ...before, networks: after.networks } : before;
    assert.ok(
      met.faulty > 0 || isDeepStrictEqual(after, expected),
      'ADD left something that it does not name',
    );
  } else if (command === 'DEL' || command === 'GC') assert.deepEqual(added, []);
  else assert.deepEqual(after, before);
}

/** Asserts that a text is one JSON object on one line. */
function readAnswer(stdout: string): Readonly<Record<string, unknown>> {
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

function assertError({ code, msg, details = 'none' }: Readonly<Record<string, unknown>>): void {
  assert.ok(typeof code === 'number' && Number.isInteger(code) && code > 0, `code is ${code}`);
  assert.notEqual(code, 999, String(msg));
  assert.ok(typeof msg === 'string' && msg.trim() !== '', `msg is ${JSON.stringify(msg)}`);
  assert.ok(typeof details === 'string' && details !== '', `details are ${JSON.stringify(details)}`);
}
