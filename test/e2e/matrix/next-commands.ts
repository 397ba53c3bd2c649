import type { Answer } from '../node.ts';
import type { Bench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import { letListsCatchUp, needsLists } from './listed.ts';
import { missingResults } from './missing-results.ts';
import { codeOf, request } from './request.ts';
import type { Command, Next } from './scenario.ts';

/** Runs the next commands of a runtime until nothing of the attachment should be left. Returns what failed. */
export async function runNextCommands(bench: Bench, next: Next): Promise<readonly string[]> {
  switch (next) {
    case 'DEL':
    case 'GC':
      return succeed(bench, next);
    case 'ADD':
      return [...(await addAgain(bench)), ...(await succeed(bench, 'DEL'))];
  }
}

/** Returns the error of a failed command, or what a successful one did not do. */
export async function succeed(bench: Bench, command: Command): Promise<readonly string[]> {
  const answer = await run(bench, command);
  if (answer.exitCode !== 0) return [`the ${command} after it answered ${answer.stdout}`];
  return missingResults(bench, command, answer).map((line) => `after it ${line}`);
}

/**
 * An ADD of a working attachment returns 101. If the IPAM plugin still has a lease of a broken one, the ADD fails and releases the
 * address, and the next ADD succeeds.
 */
async function addAgain(bench: Bench): Promise<readonly string[]> {
  const { node, call } = bench;
  const { containerId, netns } = call.pod;
  const [endpoint] = ownEndpoints(node, call);
  const isLeased = node.ipam.leases.has(`${containerId} eth0`);
  const isAttached = endpoint?.['HostComputeNamespace'] === netns;
  if (!isAttached && !(isLeased && endpoint === undefined)) return succeedOnceAddressIsFree(bench);
  const code = codeOf(await run(bench, 'ADD'));
  if (isAttached) return code === 101 ? [] : [`the ADD of what is attached answered code ${code}`];
  const refused = code === 100 ? [] : [`the ADD of what has an address answered code ${code}`];
  return [...refused, ...(await succeed(bench, 'ADD'))];
}

/** Where a deleted endpoint lingers, HNS may refuse its address to the first ADD after it, and the runtime's next ADD succeeds. */
async function succeedOnceAddressIsFree(bench: Bench): Promise<readonly string[]> {
  const found = await succeed(bench, 'ADD');
  const isInTheWay =
    bench.scenario.hns?.switches?.deletedEndpoint === 'lingers' && found.some(isAddressRefusal);
  return isInTheWay ? succeed(bench, 'ADD') : found;
}

function isAddressRefusal(line: string): boolean {
  return line.includes('HCN_E_ADDR_INVALID_OR_RESERVED');
}

/** Waits a moment if late enumerations have no remedy. */
async function run(bench: Bench, command: Command): Promise<Answer> {
  if (needsLists(command, bench.scenario)) await letListsCatchUp(bench.node, bench.scenario);
  return bench.node.cni(command, request(bench, command, undefined));
}
