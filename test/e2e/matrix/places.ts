import { endpointId } from '../../../src/plan/identity.ts';
import { type Bench, newBench } from './bench.ts';
import { request } from './request.ts';
import type { Scenario } from './scenario.ts';

/** One call or run of a command where something can go wrong. */
export interface Place {
  readonly of: 'HCN' | 'IP Helper' | 'IPAM plugin';
  /** From one: among all calls to HCN, among those of the same function of the IP Helper, among the runs. */
  readonly ordinal: number;
  readonly name: string;
  readonly about: About;
  /** Whether all is well where nothing goes wrong. */
  readonly succeeds: boolean;
}

/** Which object a call is about. */
export type About = 'its endpoint' | 'its namespace' | "the node's namespace" | 'something else';

/** What the command does when nothing goes wrong. */
export async function placesOf(scenario: Scenario): Promise<readonly Place[]> {
  const bench = await newBench(scenario);
  const { node, call } = bench;
  const { hns, ipam } = node;
  const prevResult = (await scenario.attach?.(node, call))?.json;
  const before = { runs: ipam.runs.length, calls: hns.calls.length, others: hns.ipHelperCalls.length };
  const answer = await node.cni(scenario.command, request(call, scenario.command, prevResult));
  const whatIs = aboutIn(bench);
  const calls = hns.calls.slice(before.calls).map(
    ({ function: name, id, hresult }, index): Place => ({
      of: 'HCN',
      ordinal: index + 1,
      name,
      about: whatIs(id),
      succeeds: hresult === 0,
    }),
  );
  const others = hns.ipHelperCalls.slice(before.others).map(
    (name, index, all): Place => ({
      of: 'IP Helper',
      ordinal: all.slice(0, index + 1).filter((other) => other === name).length,
      name,
      about: 'something else',
      succeeds: true,
    }),
  );
  const runs = ipam.runs.slice(before.runs).map(
    ({ command }, index): Place => ({
      of: 'IPAM plugin',
      ordinal: index + 1,
      name: `IPAM ${command}`,
      about: 'something else',
      succeeds: true,
    }),
  );
  await node.stop();
  const isAsSaid = calls.length === scenario.calls && runs.length === scenario.runs;
  if (answer.exitCode === 0 && isAsSaid) return [...calls, ...others, ...runs];
  throw new Error(`${scenario.name} made ${calls.length} calls and ${runs.length} runs: ${answer.stdout}`);
}

function aboutIn({ node, call }: Bench): (id: string | undefined) => About {
  const { containerId, netns } = call.pod;
  const own = endpointId({ containerId, ifname: 'eth0', network: String(Object(call.config).name) });
  const [nodes] = node.hns.dump().namespaces.filter(({ Type }) => Type === 'HostDefault');
  return (id) => {
    if (id === own) return 'its endpoint';
    if (id === netns) return 'its namespace';
    return id !== undefined && id === nodes?.['ID'] ? "the node's namespace" : 'something else';
  };
}
