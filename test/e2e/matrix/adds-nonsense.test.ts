import { nonsense } from './effects.ts';
import { type Part, runMatrix } from './matrix.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const parts: readonly Part[] = [{ effects: nonsense, nexts: ['DEL'] }];

testMatrix(
  import.meta.filename,
  'every answer that is none, from every call',
  [{ scenarios: adds, run: (scenario) => runMatrix(scenario, parts) }],
  {
    ADD: 38,
    'ADD that creates the network': 48,
    'ADD with an IPAM plugin': 38,
    'ADD with an IPAM plugin that creates the network': 48,
    'ADD on Windows Server 2019': 38,
    'ADD beside the host endpoint': 59,
    'ADD that creates the host endpoint': 130,
    'ADD that creates the network with its host endpoint': 116,
    'ADD with an address of each family': 38,
    'ADD with an address of each family that creates the network': 57,
    'ADD with a host port': 38,
    'ADD whose policies need the address HNS assigned': 49,
    'ADD on an Overlay network': 38,
    'ADD that creates an Overlay network': 47,
  },
);
