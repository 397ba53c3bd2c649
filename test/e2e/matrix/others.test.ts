import { hresults, nonsense, outages, pairs, plugin, silences } from './effects.ts';
import { runMatrix } from './matrix.ts';
import type { Next, Scenario } from './scenario.ts';
import { checks, dels, gcs, inheritedDels, statuses } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const effects = [...hresults, ...silences, ...nonsense, ...outages, ...pairs, ...plugin];

const then = (scenarios: readonly Scenario[], ...nexts: readonly Next[]) => ({
  scenarios,
  run: (scenario: Scenario) => runMatrix(scenario, [{ effects, nexts }]),
});

testMatrix(
  import.meta.filename,
  'everything that can become of every call and every run of the IPAM plugin',
  [
    then(dels, 'DEL', 'GC'),
    then(inheritedDels, 'DEL'),
    then(checks, 'DEL'),
    then(gcs, 'GC', 'DEL'),
    then(statuses, 'ADD'),
  ],
  {
    DEL: 70,
    'DEL with an IPAM plugin': 90,
    'DEL of nothing': 174,
    'DEL of an endpoint with a host port': 90,
    'DEL on an Overlay network': 70,
    "DEL of win-bridge's endpoint": 112,
    CHECK: 166,
    'CHECK of an MTU': 287,
    'CHECK on an Overlay network': 156,
    'GC of an endpoint': 730,
    'GC of nothing': 348,
    'GC without a network': 106,
    STATUS: 131,
    'STATUS without a network': 53,
    'STATUS with a feature': 173,
  },
);
