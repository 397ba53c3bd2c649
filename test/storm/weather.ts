import { setTimeout as sleep } from 'node:timers/promises';
import { hresults, invalidAnswers, missingAnswers, ofIpHelper } from '../e2e/matrix/effects.ts';
import type { Fault } from '../simulator/faults.ts';
import type { Random } from './random.ts';
import type { Round } from './round.ts';
import { ipamModes } from './storm-ipam.ts';

const queries = [
  'HcnQueryNetworkProperties',
  'HcnQueryEndpointProperties',
  'HcnQueryNamespaceProperties',
  'HcnEnumerateNetworks',
  'HcnEnumerateEndpoints',
  'HcnEnumerateNamespaces',
] as const;
const routes = [
  'GetAdaptersAddresses',
  'GetIpInterfaceEntry',
  'GetIpForwardTable2',
  'CreateIpForwardEntry2',
  'DeleteIpForwardEntry2',
] as const;

/** Injects faults until a round is over. */
export async function blow(round: Round, isOver: () => boolean): Promise<void> {
  const random = round.random.stream('weather');
  const { climate, world } = round;
  const { hns, ipam } = world;
  if (climate.ipam) ipam.modeOf = ipamWeather(round);
  let reboots = climate.reboot ? 1 : 0;
  while (!isOver()) {
    await sleep(random.between(5, 120));
    if (isOver()) break;
    if (climate.faults && random.chance(0.4)) inject(round, chooseFault(random));
    if (climate.hangs && random.chance(0.15)) inject(round, chooseHang(random));
    if (climate.slow && random.chance(0.5)) {
      inject(round, { ordinal: random.between(1, 8), effect: { delayMs: random.between(200, 1800) } });
    }
    if (climate.restarts && random.chance(0.12)) act(round, 'restart of HNS', () => hns.restart());
    if (reboots > 0 && random.chance(0.06)) {
      reboots -= 1;
      act(round, 'reboot', () => reboot(round));
    }
    if (hns.standing.length > 0 && random.chance(0.15)) act(round, 'release', () => hns.release());
  }
}

/** All pods are gone, and possibly the networks of other programs. */
function reboot(round: Round): void {
  round.world.hns.reboot();
  round.era += 1;
  for (const pod of round.pods) pod.state = 'unsure';
}

function act(round: Round, name: string, work: () => void): void {
  round.tell(name);
  round.tally.count('weather', name);
  work();
}

function inject(round: Round, fault: Fault | undefined): void {
  if (fault !== undefined) act(round, `fault`, () => round.world.hns.inject(fault));
}

function chooseFault(random: Random): Fault | undefined {
  const ordinal = random.between(1, 12);
  const kind = random.below(10);
  if (kind < 4) return fault(random.pickIfAny(hresults)?.fault, { ordinal });
  if (kind < 6) return fault(random.pickIfAny(missingAnswers)?.fault, { ordinal });
  if (kind < 7)
    return fault(random.pickIfAny(ofIpHelper)?.fault, { ordinal: 1, function: random.pick(routes) });
  if (kind < 9) {
    return fault(random.pickIfAny(invalidAnswers)?.fault, {
      ordinal: random.between(1, 3),
      function: random.pick(queries),
    });
  }
  return fault({ delayMs: random.between(1, 400) }, { ordinal });
}

function chooseHang(random: Random): Fault | undefined {
  const effects = missingAnswers.filter(({ reported }) => reported === 'late');
  return fault(random.pickIfAny(effects)?.fault, { ordinal: random.between(1, 15) });
}

function fault(effect: Fault['effect'] | undefined, where: Omit<Fault, 'effect'>): Fault | undefined {
  return effect === undefined ? undefined : { ...where, effect };
}

function ipamWeather(round: Round): (command: string) => (typeof ipamModes)[number] {
  const random = round.random.stream('ipam');
  return (command) => {
    const mode = random.chance(0.3) ? random.pick(ipamModes) : 'as usual';
    if (mode !== 'as usual') act(round, `IPAM plugin ${mode}`, () => round.tell(`  in ${command}`));
    return mode;
  };
}
