import { hresults, kindsOfHresults } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [
  { effects: hresults, nexts: ['DEL'] },
  { effects: kindsOfHresults, nexts: ['ADD', 'GC'] },
];

testMatrix(
  import.meta.filename,
  'every HRESULT from every call',
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
  {
    ADD: 168,
    'ADD that creates the network': 192,
    'ADD with an IPAM plugin': 168,
    'ADD with an IPAM plugin that creates the network': 192,
    'ADD on Windows Server 2019': 168,
    'ADD beside the host endpoint': 240,
    'ADD that creates the host endpoint': 528,
    'ADD that creates the network with its host endpoint': 456,
    'ADD with an address of each family': 168,
    'ADD with an address of each family that creates the network': 216,
    'ADD with a host port': 168,
    'ADD whose policies need the address HNS assigned': 216,
    'ADD on an Overlay network': 168,
    'ADD that creates an Overlay network': 192,
  },
);
