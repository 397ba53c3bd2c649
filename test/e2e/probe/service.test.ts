import { expect, test } from 'vitest';
import type { ScriptResult } from '../../../src/cli/powershell.ts';
import type { Fault } from '../../simulator/hns.ts';
import type { CliEnvironment } from '../cli/run-cli.ts';
import type { Node } from '../node.ts';
import { probeRow, refusal } from './run-probe.ts';

/** PowerShell in which restarting the service does this. */
function restarting(restart: (node: Node) => ScriptResult | Promise<ScriptResult>) {
  return (node: Node): CliEnvironment => ({
    powershell: (script) => (script.includes('Stop-Service -Name hns') ? restart(node) : { problem: 'none' }),
  });
}

/** Without --adapter, for which the probe lists networks too. */
const words = ['--restart-hns', '--yes'];

const enumerate = 'HcnEnumerateNetworks';

/** The first list of networks is the probe's own. */
const secondEnumeration = (effect: Fault['effect']): readonly Fault[] => [
  { function: enumerate, ordinal: 2, effect },
];

test.each(['callsDuringRestart', 'objectsAfterRestart'])('%s requires --restart-hns', async (row) => {
  expect(await probeRow(row, {}, [], { words: [] })).toMatchObject({
    verdict: 'not tried',
    reason: 'requires --restart-hns',
  });
});

test('callsDuringRestart: observes that a call in flight ends with an RPC error', async () => {
  const environment = restarting(async ({ hns }) => {
    if (hns.standing.length === 0) await hns.nextStanding();
    hns.restart();
    return { stdout: '' };
  });
  const faults = secondEnumeration({ hold: 'before' });
  expect(await probeRow('callsDuringRestart', {}, faults, { words, environment })).toMatchObject({
    verdict: 'holds',
    observed: 'unavailable',
    detail: 'RPC_S_CALL_FAILED',
  });
});

test.each<[observed: string, verdict: string, faults: readonly Fault[]]>([
  ['no call failed', 'holds', []],
  ['unavailable', 'holds', secondEnumeration({ hang: true })],
  ['E_FAIL', 'does not hold', [refusal(enumerate, 'E_FAIL', 2)]],
])('callsDuringRestart: observes %s', async (observed, verdict, faults) => {
  const environment = restarting(() => ({ stdout: '' }));
  expect(await probeRow('callsDuringRestart', {}, faults, { words, environment })).toMatchObject({
    observed,
    verdict,
  });
});

test('a row that restarts HNS runs one script, and reports its failure', async () => {
  const scripts: string[] = [];
  const problem = 'PowerShell failed with exit code 1: hns did not stop';
  const environment = () => ({
    powershell: (script: string) => {
      scripts.push(script);
      return { problem };
    },
  });
  expect(await probeRow('callsDuringRestart', {}, [], { environment })).toMatchObject({
    verdict: 'not tried',
    reason: problem,
  });
  expect(scripts.filter((script) => script.includes('-Service'))).toHaveLength(1);
});

test.each([
  ['kept', 'holds'],
  ['late', 'does not hold'],
  ['lost', 'does not hold'],
] as const)('objectsAfterRestart: observes %s', async (afterReboot, verdict) => {
  const environment = restarting(({ hns }) => {
    hns.reboot();
    return { stdout: '' };
  });
  const options = { switches: { afterReboot } };
  expect(await probeRow('objectsAfterRestart', options, [], { environment })).toMatchObject({
    observed: afterReboot,
    verdict,
  });
});

test('objectsAfterRestart: names the kinds that are lost', async () => {
  const environment = restarting(async ({ hns, hcn }) => {
    for (const { ID } of await hcn.findLoadBalancers()) await hcn.deleteLoadBalancer(ID);
    hns.restart();
    return { stdout: '' };
  });
  expect(await probeRow('objectsAfterRestart', {}, [], { environment })).toMatchObject({
    observed: 'lost in part',
    detail: 'LoadBalancer',
  });
});

test('objectsAfterRestart: finds objects whose IDs HNS chose', async () => {
  const options = { switches: { callerIds: 'ignored' } } as const;
  expect(await probeRow('objectsAfterRestart', options)).toMatchObject({ observed: 'kept' });
});

test('objectsAfterRestart: waits until HNS responds', async () => {
  const environment = restarting(({ hns }) => {
    hns.restart();
    hns.inject(refusal('HcnOpenNetwork', 'RPC_S_SERVER_UNAVAILABLE'));
    return { stdout: '' };
  });
  expect(await probeRow('objectsAfterRestart', {}, [], { environment })).toMatchObject({ observed: 'kept' });
});

test('objectsAfterRestart is not tried if HNS does not respond again', async () => {
  const environment = restarting(({ hns }) => {
    hns.restart();
    hns.inject(refusal('HcnOpenEndpoint', 'RPC_S_SERVER_UNAVAILABLE', 'every'));
    return { stdout: '' };
  });
  expect(await probeRow('objectsAfterRestart', {}, [], { environment })).toMatchObject({
    verdict: 'not tried',
    reason: 'opening an object: RPC_S_SERVER_UNAVAILABLE',
  });
});

test('objectsAfterRestart: does without a load balancer if HNS refuses it', async () => {
  const fault = refusal('HcnCreateLoadBalancer', 'HCN_E_INVALID_POLICY');
  expect(await probeRow('objectsAfterRestart', {}, [fault])).toMatchObject({ observed: 'kept' });
});

test.each<[observed: string, verdict: string, faults: readonly Fault[]]>([
  ['below 1 s', 'holds', []],
  ['longer', 'does not hold', secondEnumeration({ hang: true })],
])('enumerationUnderLoad: observes %s', async (observed, verdict, faults) => {
  expect(await probeRow('enumerationUnderLoad', {}, faults, { words: [] })).toMatchObject({
    observed,
    verdict,
  });
});

test('enumerationUnderLoad is not tried if HNS refuses load balancers', async () => {
  const fault = refusal('HcnCreateLoadBalancer', 'HCN_E_INVALID_POLICY', 'every');
  expect(await probeRow('enumerationUnderLoad', {}, [fault], { words: [] })).toMatchObject({
    verdict: 'not tried',
    reason: expect.stringContaining('creating a load balancer: HCN returned HCN_E_INVALID_POLICY'),
  });
});
