import type { Answer } from '../node.ts';
import type { Bench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import { letListsCatchUp, needsLists } from './listed.ts';
import { brokenPromises } from './promises.ts';
import { codeOf, request } from './request.ts';
import type { Command, Next } from './scenario.ts';

/** The runtime does what it does next, until nothing of the attachment should be left. Answers what did not go as it should. */
export async function settle(bench: Bench, next: Next): Promise<readonly string[]> {
  switch (next) {
    case 'DEL':
    case 'GC':
      return succeed(bench, next);
    case 'ADD':
      return [...(await addAgain(bench)), ...(await succeed(bench, 'DEL'))];
  }
}

/** Answers what the command said if it did not succeed, and what it had not done if it did. */
export async function succeed(bench: Bench, command: Command): Promise<readonly string[]> {
  const answer = await run(bench, command);
  if (answer.exitCode !== 0) return [`the ${command} after it answered ${answer.stdout}`];
  return brokenPromises(bench, command, answer).map((line) => `after it ${line}`);
}

/**
 * An attachment that works is refused with 101. Where the IPAM plugin still has an address for one that does not, it refuses, gives the
 * address back, and the ADD after that succeeds.
 */
async function addAgain(bench: Bench): Promise<readonly string[]> {
  const { node, call } = bench;
  const { containerId, netns } = call.pod;
  const [endpoint] = ownEndpoints(node, call);
  const isLeased = node.ipam.leases.has(`${containerId} eth0`);
  const isAttached = endpoint?.['HostComputeNamespace'] === netns;
  if (!isAttached && !(isLeased && endpoint === undefined)) return succeed(bench, 'ADD');
  const code = codeOf(await run(bench, 'ADD'));
  if (isAttached) return code === 101 ? [] : [`the ADD of what is attached answered code ${code}`];
  const refused = code === 100 ? [] : [`the ADD of what has an address answered code ${code}`];
  return [...refused, ...(await succeed(bench, 'ADD'))];
}

/** A moment later, where nobody can cope with HNS's late lists. */
async function run(bench: Bench, command: Command): Promise<Answer> {
  if (needsLists(command, bench.scenario)) await letListsCatchUp(bench.node, bench.scenario);
  return bench.node.cni(command, request(bench, command, undefined));
}
