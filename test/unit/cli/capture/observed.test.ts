import { expect, test } from 'vitest';
import { observedHops } from '../../../../src/cli/capture/observed.ts';
import { bridgeState } from '../../../cluster/states.ts';

const far = {
  ...{ ID: 'far', Name: 'far', HostComputeNetwork: 'bridge-1', Flags: 1 },
  SchemaVersion: { Major: 2, Minor: 0 },
};
const { inventory } = bridgeState(1, { endpoint: { MacAddress: '00-15-5D-52-C0-00' }, others: [far] });

test.each<[string, string, string, string | undefined, string]>([
  ['the adapter of a pod', 'vmsmp.sys', 'x', '00-15-5D-52-C0-00', 'adapter of endpoint pod-1'],
  ['the port of a pod', 'VMSWITCH.sys', 'pod-1', undefined, 'port of endpoint pod-1'],
  ['a port with the name of a remote endpoint', 'vmswitch.sys', 'far', undefined, 'far (vmswitch.sys)'],
])('%s is named', (_, driver, name, mac, where) => {
  const components = new Map([[1, { name, driver, ...(mac !== undefined && { mac }) }]]);
  const events = [{ packet: '1', component: 1, sources: [] }];
  expect(observedHops({ events, components }, [], inventory)[0]?.where).toBe(where);
});

test('packets are counted once for each component, in the order of the path', () => {
  const event = (packet: string, component: number, source: string, drop?: string) => ({
    ...{ packet, component, sources: ['10.0.0.2', source] },
    ...(drop !== undefined && { drop }),
  });
  const events = [
    event('1', 7, 'pod'),
    event('1', 7, 'pod'),
    event('1', 8, 'pod'),
    event('2', 7, 'pod', 'MTU'),
    event('2', 7, 'pod', ''),
    event('3', 9, 'other'),
    event('3', 8, 'other', 'MTU'),
  ];
  expect(observedHops({ events, components: new Map() }, ['pod'], inventory)).toEqual([
    {
      ...{ where: 'component 7', component: 7, sent: 2, replies: 0 },
      drops: [
        { packets: 1, reason: 'MTU' },
        { packets: 1, reason: 'pktmon gives no reason' },
      ],
    },
    { where: 'component 8', component: 8, sent: 1, replies: 1, drops: [{ packets: 1, reason: 'MTU' }] },
    { where: 'component 9', component: 9, sent: 0, replies: 1, drops: [] },
  ]);
});
