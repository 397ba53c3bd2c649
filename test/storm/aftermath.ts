import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostEndpointName } from '../../src/model/identity.ts';
import type { Named } from '../e2e/matrix/found.ts';
import { differences, type Snapshot, snapshot } from '../e2e/matrix/snapshot.ts';
import { runHere } from './by-hand.ts';
import { ask } from './pods.ts';
import type { Random } from './random.ts';
import type { Transport } from './request.ts';
import type { Round, StormPod } from './round.ts';
import type { World } from './world.ts';

/** The networks of the storm, which stay by design, with their host endpoints. */
function declared({ networks }: World): readonly Named[] {
  return networks.flatMap(({ name }): readonly Named[] => [
    `networks ${name}`,
    `endpoints ${hostEndpointName(name)}`,
  ]);
}

/** Everything on the node except the networks of the storm. */
export function baseline(world: World): Snapshot {
  const all = snapshot(world.node, declared(world));
  return new Map([...all].filter(([key]) => !key.startsWith('forwarding of ')));
}

/** Ends all faults: pending calls continue, and the processes of killed ones end. */
export async function settle(round: Round): Promise<void> {
  const { hns, ipam, folder } = round.world;
  ipam.modeOf = () => 'as usual';
  hns.clearFaults();
  const deadline = performance.now() + 20_000;
  let quiet = 0;
  while (quiet < 3) {
    hns.release();
    quiet = hns.standing.length === 0 && !hasProcesses(folder) ? quiet + 1 : 0;
    await sleep(10);
    if (performance.now() < deadline) continue;
    round.find(`still running 20 s after the last request: ${hns.standing.join()} ${hasProcesses(folder)}`);
    break;
  }
}

/** Whether an IPAM plugin or another program still uses the folder. */
function hasProcesses(folder: string): boolean {
  return readdirSync('/proc').some((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1').includes(folder) && id !== String(process.pid);
    } catch {
      return false;
    }
  });
}

/** Checks the pods that work according to the runtime. */
export async function judgePods(round: Round): Promise<void> {
  const working = round.pods.filter(({ state }) => state === 'works');
  const leases = round.world.leases();
  const { endpoints } = round.world.hns.dump();
  const addresses = new Map<string, string>();
  for (const pod of working) {
    const { containerId, netns, network, result } = pod;
    const own = addressesOf(result);
    const attached = endpoints.some(({ HostComputeNamespace }) => HostComputeNamespace === netns);
    if (!attached) round.find(`${containerId} works, but its namespace has no endpoint`);
    for (const address of own) {
      const other = addresses.get(`${network.name} ${address}`);
      if (other !== undefined) round.find(`${containerId} and ${other} both have ${address}`);
      addresses.set(`${network.name} ${address}`, containerId);
      const isWithin = [network.prefix, network.prefix6].some(
        (prefix) => prefix !== undefined && address.startsWith(prefix),
      );
      if (!isWithin) round.find(`${containerId} has ${address}, which is not of network ${network.name}`);
    }
    const lease = leases.get(`${containerId} eth0`);
    // A plugin that assigned an address in use still has its own lease for this pod.
    const isOwn = lease !== undefined && (round.climate.ipam || own.includes(lease));
    if (network.addresses !== 'HNS' && !isOwn)
      round.find(`${containerId} works with ${own.join()}, but its lease is ${lease}`);
    if (String(pod.config['cniVersion']) >= '0.4.0') await ask(round, pod, 'CHECK');
  }
  round.tally.count('pods', 'in all', round.pods.length);
  round.tally.count('pods', 'working at the end', working.length);
}

function addressesOf(result: unknown): readonly string[] {
  const ips: readonly { readonly address: string }[] = Object(result).ips ?? [];
  return ips.map(({ address }) => address.split('/')[0] ?? '');
}

/** Deletes all pods as the runtime does, and compares the node with its state before the storm. */
export async function cleanUp(
  round: Round,
  before: Snapshot,
  transport: (random: Random) => Transport,
): Promise<void> {
  const { world, pods, random } = round;
  await Promise.all(pods.map((pod) => ask(round, pod, 'DEL', transport(random))));
  for (const pod of pods) pod.state = 'absent';
  for (const network of world.networks) {
    const pod: StormPod = { ...emptyPod, network, config: { ...network.config, cniVersion: '1.1.0' } };
    const asked = await ask({ ...round, pods: [] }, pod, 'GC', transport(random));
    if (asked.exitCode !== 0) round.find(`the last GC of ${network.name}: ${asked.stdout}`);
  }
  for (const { netns } of pods) await world.node.hcn.deleteNamespace(netns);
  for (const { name } of world.networks) if (random.chance(0.3)) await deleteNetwork(round, name);
  const hasRebooted = round.era > 0;
  for (const line of differences(before, baseline(world)))
    if (!hasRebooted || line.includes(' was left: ')) round.find(line);
  for (const [holder, address] of world.leases()) round.find(`the lease ${address} of ${holder} was left`);
  await judgeService(round);
  const left = readdirSync(world.temporary);
  if (left.length > 0) round.find(`temporary files were left: ${left.join()}`);
  await judgeTools(round);
}

/** `win-hcn gc` finds no leftovers. */
async function judgeTools({ world, find }: Round): Promise<void> {
  const { exitCode, stdout, stderr } = await runHere(world, ['gc']);
  if (exitCode !== 0) find(`win-hcn gc ended with ${exitCode}: ${stdout}${stderr}`);
}

/** The next ADD creates the network again. */
async function deleteNetwork({ world, find, tally }: Round, name: string): Promise<void> {
  for (let looks = 0; world.listsLate && looks < 2; looks += 1) await runHere(world, ['ls', 'networks']);
  const words = ['network', 'delete', `${name}.conf`, '--yes'];
  const { exitCode, stdout, stderr } = await runHere(world, words);
  tally.count('win-hcn network delete, at the end', `exit code ${exitCode}`);
  const isLeft = world.hns.dump().networks.some(({ Name }) => Name === name);
  if (exitCode !== 0 || isLeft) find(`deleting ${name} ended with ${exitCode}: ${stdout}${stderr}`);
}

const emptyPod = {
  containerId: 'gc',
  netns: '',
  state: 'absent',
  result: undefined,
  running: 0,
  started: 0,
} as const;

/** This process is the only client of HNS, and no network or endpoint exists twice. */
async function judgeService({ world, find }: Round): Promise<void> {
  const { hns } = world;
  for (let wait = 0; wait < 200 && hns.dump().clients > 1; wait += 1) await sleep(10);
  const { clients, networks, endpoints } = hns.dump();
  if (clients > 1) find(`HNS has ${clients} clients`);
  for (const [kind, documents] of Object.entries({ networks, endpoints })) {
    const names = documents.map(({ Name }) => String(Name));
    for (const name of new Set(names.filter((name, index) => names.indexOf(name) < index)))
      find(`there are several ${kind} ${name}`);
  }
}
