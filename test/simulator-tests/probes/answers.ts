// How the variants of answers of every kind are seen.

import { network } from '../../simulator/computenetwork.ts';
import { createNetwork, query } from '../test-client.ts';
import { networkId, type Probe } from './probe.ts';

export const answerProbes: readonly Probe[] = [
  {
    name: 'schemaVersion',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2,"Minor":11}}');
      return document['SchemaVersion'];
    },
    positions: [
      ['fixed', { Major: 2, Minor: 0 }],
      ['echoed', { Major: 2, Minor: 11 }],
    ],
  },
  {
    name: 'detailedQuery',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2},"Flags":1}');
      return 'Resources' in document;
    },
    positions: [
      ['nothing', false],
      ['resources', true],
    ],
  },
  {
    name: 'unknownEnumerationValue',
    see: async () => (await createNetwork({ Type: 'Bridge' })).hresult,
    positions: [
      [0x803b001b, '0x803B001B'],
      [0x80070057, '0x80070057'],
    ],
  },
];
