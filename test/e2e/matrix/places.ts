import { isNotFound } from '../../../src/hcn/hresults.ts';
import { endpointId, networkId } from '../../../src/model/identity.ts';
import type { Call as HcnCall } from '../../simulator/hns.ts';
import { hresultOf } from '../../simulator/hresults.ts';
import { type Bench, newBench } from './bench.ts';
import { ownEndpoints } from './found.ts';
import { request } from './request.ts';
import type { Scenario } from './scenario.ts';

/** A call or run of a command that an effect can apply to. */
export interface Place {
  readonly of: 'HCN' | 'IP Helper' | 'IPAM plugin';
  /** From 1: among all calls to HCN, among calls of the same IP Helper function, or among the runs. */
  readonly ordinal: number;
  /** From 1: among calls of the same function. Only this is the same in each process, which makes some calls at once. */
  readonly nth: number;
  readonly name: string;
  readonly about: About;
  /** Its HRESULT without an effect. */
  readonly hresult: number;
  /** Whether it queries a network or an endpoint right after its creation. */
  readonly isOfCreated: boolean;
  /** Whether it looks up the network by its derived id, after which win-hcn would look it up by its name. */
  readonly isShortcut: boolean;
  /** Whether it reads the other networks after the creation of one. */
  readonly isOfOthers: boolean;
  /** Whether it is a query for a V1 document. */
  readonly isV1: boolean;
  /** Whether HNS refused to delete an endpoint before. */
  readonly isAfterRefusal: boolean;
}

/** The object of a call. */
export type About = 'its endpoint' | 'its namespace' | "the node's namespace" | 'something else';

/** Whether a call or run changes HNS, the node or the leases. */
export function isChange({ of, name }: Place): boolean {
  return of === 'IPAM plugin' || /Create|Modify|Delete|Set/.test(name);
}

/** Whether HNS does not answer by itself. */
export function hangsByItself({ hresult }: Place): boolean {
  return hresult === hresultOf('RPC_S_CALL_FAILED');
}

/** Returns the calls and runs of a command without effects. */
export async function placesOf(scenario: Scenario): Promise<readonly Place[]> {
  const bench = await newBench(scenario);
  const { node, call } = bench;
  const { hns, ipam } = node;
  const prevResult = (await scenario.attach?.(bench))?.json;
  const ownBefore = ownEndpoints(node, call);
  const before = { runs: ipam.runs.length, calls: hns.calls.length, others: hns.ipHelperCalls.length };
  const answer = await node.cni(scenario.command, request(bench, scenario.command, prevResult));
  const whatIs = aboutIn(
    bench,
    [...ownBefore, ...ownEndpoints(node, call)].map(({ ID }) => String(ID)),
  );
  const derived = networkId(String(scenario.config['name']));
  const calls = hns.calls.slice(before.calls).map(
    ({ function: name, id, hresult, document }, index, all): Place => ({
      of: 'HCN',
      ordinal: index + 1,
      nth: all.slice(0, index + 1).filter((other) => other.function === name).length,
      name,
      about: whatIs(id),
      hresult,
      isOfCreated: /^HcnCreate(Network|Endpoint)$/.test(all[index - 1]?.function ?? ''),
      isShortcut: id === derived && !all.slice(0, index).some(isOtherSource),
      isOfOthers: isOfOthers(index, all),
      isV1: Object(document).SchemaVersion?.Major === 1,
      isAfterRefusal: all.slice(0, index).some(isRefusedDeletion),
    }),
  );
  const others = hns.ipHelperCalls.slice(before.others).map(
    (name, index, all): Place => ({
      of: 'IP Helper',
      ...inBoth(all.slice(0, index + 1).filter((other) => other === name).length),
      name,
      about: 'something else',
      hresult: 0,
      isOfCreated: false,
      isShortcut: false,
      isOfOthers: false,
      isV1: false,
      isAfterRefusal: false,
    }),
  );
  const runs = ipam.runs.slice(before.runs).map(
    ({ command }, index): Place => ({
      of: 'IPAM plugin',
      ...inBoth(index + 1),
      name: `IPAM ${command}`,
      about: 'something else',
      hresult: 0,
      isOfCreated: false,
      isShortcut: false,
      isOfOthers: false,
      isV1: false,
      isAfterRefusal: false,
    }),
  );
  await node.stop();
  const isAsSaid = (scenario.calls ?? calls.length) === calls.length && runs.length === scenario.runs;
  if (answer.exitCode === 0 && isAsSaid) return [...calls, ...others, ...runs];
  throw new Error(`${scenario.name} made ${calls.length} calls and ${runs.length} runs: ${answer.stdout}`);
}

/** `own` are the ids of the attachment's endpoints. A call may also contain the derived id. */
function aboutIn({ node, call }: Bench, own: readonly string[]): (id: string | undefined) => About {
  const { containerId, netns } = call.pod;
  const derived = endpointId({ containerId, ifname: 'eth0', network: String(Object(call.config).name) });
  const [nodes] = node.hns.dump().namespaces.filter(({ Type }) => Type === 'HostDefault');
  return (id) => {
    if (id === derived || own.some((one) => one === id)) return 'its endpoint';
    if (id === netns) return 'its namespace';
    return id !== undefined && id === nodes?.['ID'] ? "the node's namespace" : 'something else';
  };
}

function inBoth(nth: number): Pick<Place, 'ordinal' | 'nth'> {
  return { ordinal: nth, nth };
}

/** After a network is created, all networks are listed and the others are read. */
function isOfOthers(index: number, calls: readonly HcnCall[]): boolean {
  const names = calls.map((call) => call.function);
  const creation = names.indexOf('HcnCreateNetwork');
  const listing = creation === -1 ? -1 : names.indexOf('HcnEnumerateNetworks', creation);
  if (listing === -1 || index < listing) return false;
  return names
    .slice(listing, index + 1)
    .every((name) => /^Hcn(EnumerateNetworks|(Open|Query)Network)/.test(name));
}

function isOtherSource({ function: name }: HcnCall): boolean {
  return name === 'HcnEnumerateNetworks' || name === 'HcnCreateNetwork';
}

function isRefusedDeletion({ function: name, hresult }: HcnCall): boolean {
  return name === 'HcnDeleteEndpoint' && hresult !== 0 && !isNotFound(hresult);
}
