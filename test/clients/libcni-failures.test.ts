import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../simulator/hns.ts';
import { conflist } from './conflist.ts';
import { linux, rowsOn, wine } from './hosts.ts';
import { type Node, startNode } from './node.ts';

const denied = (name: string): Fault => ({ function: name, effect: { hresult: 0x80070005 } });

interface Failure {
  readonly what: string;
  readonly fault?: Fault;
  readonly changes?: object;
  readonly netns?: string;
  /** Whether the network was created: then it stays. */
  readonly isCreated?: true;
  readonly code: number;
  readonly msg: RegExp;
}

/** The expected details. The exe appends the path of its log. */
const details = (text: string) =>
  expect.stringMatching(new RegExp(`^${text}(; logged in C:.* as request [0-9a-f]{8})?$`));

const failures: readonly Failure[] = [
  {
    what: 'HCN refuses the endpoint',
    fault: denied('HcnCreateEndpoint'),
    isCreated: true,
    code: 100,
    msg: /^creating endpoint "pod1_l2bridge_eth0" .*E_ACCESSDENIED \(0x80070005\)/,
  },
  {
    what: 'HCN does not answer in time',
    fault: { function: 'HcnCreateEndpoint', effect: { hang: true } },
    changes: { hcnTimeoutSeconds: 1 },
    isCreated: true,
    code: 11,
    msg: /HcnCreateEndpoint did not respond within 1 s/,
  },
];

describe.for([linux, wine])('libcni 1.1.2 with $name', (host) => {
  describe.skipIf(host.missing !== undefined)('when something goes wrong', () => {
    let node: Node;
    beforeEach(async () => {
      node = await startNode(host);
    });
    afterEach(() => node.stop());

    test.each(rowsOn(host, failures))(
      'reports our code and message when $what, and no endpoint is left',
      async (failure) => {
        const netns = failure.netns ?? node.hns.createNamespace();
        const pod = { conflist: conflist('l2bridge', '1.0.0', failure.changes), netns };
        if (failure.fault) node.hns.inject(failure.fault);
        const [added] = await node.libcni(pod, ['add']);
        expect(added).toEqual({
          command: 'add',
          error: {
            text: expect.stringMatching(/^plugin type="win-hcn" failed \(add\): /),
            plugin: expect.objectContaining({ code: failure.code, msg: expect.stringMatching(failure.msg) }),
          },
        });
        expect(added?.error?.text).toContain(added?.error?.plugin?.msg);
        const networks = failure.isCreated ? [{ Name: 'l2bridge' }] : [];
        expect(node.hns.dump()).toMatchObject({ networks, endpoints: [] });
        expect(await node.libcni(pod, ['del-without-netns'])).toEqual([{ command: 'del-without-netns' }]);
        await expect.poll(() => node.hns.dump()).toMatchObject({ openHandles: 0, clients: 0 });
      },
    );

    test('gets code 101 for a second ADD, and the first attachment is unchanged', async () => {
      const pod = { conflist: conflist('l2bridge'), netns: node.hns.createNamespace() };
      const [first] = await node.libcni(pod, ['add']);
      expect(first?.error).toBeUndefined();
      const { networks, endpoints } = node.hns.dump();
      const [second, checked] = await node.libcni(pod, ['add', 'check']);
      const msg = expect.stringMatching(
        /^the container already has this interface: endpoint "pod1_l2bridge_eth0"/,
      );
      expect(second?.error?.plugin).toEqual({ code: 101, msg, details: details('run DEL first') });
      expect(checked).toEqual({ command: 'check' });
      expect(node.hns.dump()).toMatchObject({ networks, endpoints });
    });
  });
});
