import { outages, pairs } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: outages, nexts: ['DEL', 'ADD', 'GC'] },
  { effects: pairs, nexts: ['DEL'] },
];

testMatrix(
  import.meta.filename,
  'every outage, from every call on',
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
  {
    ADD: 126,
    'ADD that creates the network': 144,
    'ADD with an IPAM plugin': 126,
    'ADD with an IPAM plugin that creates the network': 144,
    'ADD on Windows Server 2019': 126,
    'ADD beside the host endpoint': 180,
    'ADD that creates the host endpoint': 396,
    'ADD that creates the network with its host endpoint': 342,
    'ADD with an address of each family': 126,
    'ADD with an address of each family that creates the network': 162,
    'ADD with a host port': 126,
    'ADD whose policies need the address HNS assigned': 162,
    'ADD on an Overlay network': 126,
    'ADD that creates an Overlay network': 144,
  },
);
