import { plugin, silences } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [{ effects: [...silences, ...plugin], nexts: ['DEL', 'ADD', 'GC'] }];

testMatrix(
  import.meta.filename,
  'every call that does not answer, and every failure of the IPAM plugin',
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
  {
    ADD: 105,
    'ADD that creates the network': 120,
    'ADD with an IPAM plugin': 135,
    'ADD with an IPAM plugin that creates the network': 150,
    'ADD beside the host endpoint': 180,
    'ADD that creates the host endpoint': 360,
    'ADD that creates the network with its host endpoint': 315,
    'ADD with an address of each family': 135,
    'ADD with an address of each family that creates the network': 165,
    'ADD with a host port': 135,
    'ADD whose policies need the address HNS assigned': 135,
    'ADD on an Overlay network': 105,
    'ADD that creates an Overlay network': 120,
  },
);
