// Probes for the variants of answers.

import { network } from '../../simulator/computenetwork.ts';
import { createNetwork, networkId, query } from '../test-client.ts';
import type { Probe } from './probe.ts';

export const answerProbes: readonly Probe[] = [
  {
    name: 'schemaVersion',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2,"Minor":11}}');
      return document['SchemaVersion'];
    },
    expected: { fixed: { Major: 2, Minor: 0 }, echoed: { Major: 2, Minor: 11 } },
  },
  {
    name: 'memberTypes',
    see: async () => {
      const { State, Health } = (await createNetwork({ Type: 'NAT' })).document;
      return [State, typeof (Health as { Data?: unknown }).Data];
    },
    expected: { 'as documented': [1, 'object'], other: ['Created', 'string'] },
  },
  {
    name: 'detailedQuery',
    see: async () => {
      await createNetwork({ Type: 'NAT' }, networkId);
      const { document } = await query(network, networkId, '{"SchemaVersion":{"Major":2},"Flags":1}');
      return 'Resources' in document;
    },
    expected: { nothing: false, resources: true },
  },
  {
    name: 'unknownEnumerationValue',
    see: async () => (await createNetwork({ Type: 'Bridge' })).hresult,
  },
];
