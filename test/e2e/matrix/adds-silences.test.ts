import { afterthoughts, plugin, silences } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: [...silences, ...plugin], nexts: ['DEL', 'ADD', 'GC'] },
  { effects: afterthoughts, nexts: ['DEL', 'ADD'] },
];

testMatrix(
  import.meta.filename,
  'every call that does not answer, and every failure of the IPAM plugin',
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
  {
    ADD: 119,
    'ADD that creates the network': 136,
    'ADD with an IPAM plugin': 149,
    'ADD with an IPAM plugin that creates the network': 166,
    'ADD on Windows Server 2019': 149,
    'ADD beside the host endpoint': 200,
    'ADD that creates the host endpoint': 404,
    'ADD that creates the network with its host endpoint': 353,
    'ADD with an address of each family': 149,
    'ADD with an address of each family that creates the network': 183,
    'ADD with a host port': 149,
    'ADD whose policies need the address HNS assigned': 153,
    'ADD on an Overlay network': 119,
    'ADD that creates an Overlay network': 136,
  },
);
