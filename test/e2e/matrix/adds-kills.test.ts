import { runKills } from './kill.ts';
import { adds } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

testMatrix(
  import.meta.filename,
  'a kill just before and just after every call and every run',
  [{ scenarios: adds, run: (scenario) => runKills(scenario, ['DEL', 'ADD', 'GC']) }],
  {
    ADD: 14,
    'ADD that creates the network': 16,
    'ADD with an IPAM plugin': 16,
    'ADD with an IPAM plugin that creates the network': 18,
    'ADD on Windows Server 2019': 16,
    'ADD beside the host endpoint': 22,
    'ADD that creates the host endpoint': 46,
    'ADD that creates the network with its host endpoint': 40,
    'ADD with an address of each family': 16,
    'ADD with an address of each family that creates the network': 20,
    'ADD with a host port': 16,
    'ADD whose policies need the address HNS assigned': 18,
    'ADD on an Overlay network': 14,
    'ADD that creates an Overlay network': 16,
  },
);
