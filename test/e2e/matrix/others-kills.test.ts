import { runKills } from './kill.ts';
import { checks, dels, gcs, inheritedDels, statuses } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

testMatrix(
  import.meta.filename,
  'a kill just before and just after every call and every run',
  [
    { scenarios: dels, run: (scenario) => runKills(scenario, ['DEL', 'GC']) },
    { scenarios: [...inheritedDels, ...checks], run: (scenario) => runKills(scenario, ['DEL']) },
    { scenarios: gcs, run: (scenario) => runKills(scenario, ['GC', 'DEL']) },
    { scenarios: statuses, run: (scenario) => runKills(scenario, ['ADD', 'DEL']) },
  ],
  {
    DEL: 2,
    'DEL with an IPAM plugin': 4,
    'DEL of nothing': 6,
    'DEL of an endpoint with a host port': 4,
    'DEL on an Overlay network': 2,
    "DEL of win-bridge's endpoint": 6,
    CHECK: 10,
    'CHECK of an MTU': 16,
    'CHECK on an Overlay network': 8,
    'GC of an endpoint': 20,
    'GC of nothing': 10,
    'GC without a network': 4,
    STATUS: 8,
    'STATUS without a network': 4,
    'STATUS with a feature': 10,
  },
);
