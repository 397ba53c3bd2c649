import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HcnInterceptor } from '../../src/hcn/library.ts';
import type { HnsOptions } from '../simulator/hns.ts';
import { hresultOf } from '../simulator/hresults.ts';
import { hastyClock } from './clock.ts';
import { example } from './example.ts';
import { hostLocal, hostLocalStore } from './host-local-store.ts';
import { codeOf } from './matrix/request.ts';
import { type Call, type Node, startNode } from './node.ts';

const config = example('l2bridge', { cniVersion: '1.1.0', ipam: { type: 'test-ipam' } });

let node: Node;
let call: Call;
beforeEach(async () => {
  node = await startNode({}, () => hastyClock(1));
  await node.add(config, node.newPod('neighbour'));
  call = { config, pod: node.newPod('pod') };
});
afterEach(() => node.stop());

const attached = () =>
  node.hns.dump().endpoints.find(({ Name }) => Name === 'pod_l2bridge_eth0')?.['HostComputeNamespace'];
const leases = () => [...node.ipam.leases.keys()];

const found = () => ({ isAttached: attached() === call.pod.netns, isLeased: leases().includes('pod eth0') });
const works = { isAttached: true, isLeased: true };

/** The runtime has ended the first ADD, whose process still runs. */
describe('an ADD that is late, after a DEL and another ADD of its attachment,', () => {
  const prints = {
    print: () => {
      throw new Error('EPIPE');
    },
  };
  const attaches = 'HcnModifyNamespace';
  /** HNS makes the first such change, and its response is lost. */
  const loses = (name: string) => {
    let isLost = false;
    const intercept: HcnInterceptor = async (made, make) => {
      const response = await make();
      if (isLost || made.name !== name) return response;
      isLost = true;
      return { ...response, hresult: hresultOf('RPC_S_CALL_FAILED') };
    };
    return { intercept };
  };
  test.each<[string, 'host-local' | 'another', string, Partial<Call>, number, HnsOptions['switches']?]>([
    ['fails for its released address', 'host-local', attaches, {}, 11],
    ['fails to print its result', 'host-local', attaches, prints, 11],
    ['fails to print its result', 'another', attaches, prints, 5, { callerIds: 'ignored' }],
    ['succeeds', 'another', attaches, {}, 0],
    ['loses the response to its attachment', 'host-local', attaches, loses(attaches), 11],
    ['loses the response to its creation', 'host-local', 'HcnCreateEndpoint', loses('HcnCreateEndpoint'), 11],
  ])(
    '%s with %s IPAM plugin, and keeps the endpoint and the address of the other',
    async (_, ipam, held, deviation, code, switches) => {
      if (switches !== undefined) {
        await node.stop();
        node = await startNode({ switches }, () => hastyClock(1));
        await node.add(config, node.newPod('neighbour'));
        call = { config, pod: node.newPod('pod') };
      }
      if (ipam === 'host-local') {
        hostLocalStore(node);
        call = { ...call, config: { ...config, ipam: hostLocal } };
      }
      const standing = node.hns.nextStanding();
      node.hns.inject({ function: held, effect: { hold: 'after' } });
      const late = node.cni('ADD', { ...call, ...deviation });
      await standing;
      expect(await node.cni('DEL', call)).toMatchObject({ exitCode: 0 });
      const other = await node.cni('ADD', call);
      expect(other.exitCode).toBe(0);
      node.hns.release();
      expect(codeOf(await late)).toBe(code);
      expect(found()).toEqual(works);
      const { config: checked } = call;
      expect(
        await node.cni('CHECK', { ...call, config: { ...checked, prevResult: other.json } }),
      ).toMatchObject({
        exitCode: 0,
      });
    },
  );
});
