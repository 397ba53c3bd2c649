import { afterthoughts, hresults, nonsense, outages, pairs, plugin, silences } from './effects.ts';
import { runMatrix } from './matrix.ts';
import type { Next, Scenario } from './scenario.ts';
import { checks, dels, gcs, inheritedDels, statuses } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const effects = [...hresults, ...silences, ...afterthoughts, ...nonsense, ...outages, ...pairs, ...plugin];

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
    DEL: 72,
    'DEL with an IPAM plugin': 92,
    'DEL of nothing': 178,
    'DEL of an endpoint with a host port': 92,
    'DEL on an Overlay network': 72,
    "DEL of win-bridge's endpoint": 115,
    CHECK: 170,
    'CHECK of an MTU': 294,
    'CHECK on an Overlay network': 160,
    'GC of an endpoint': 748,
    'GC of nothing': 356,
    'GC without a network': 108,
    STATUS: 134,
    'STATUS without a network': 54,
    'STATUS with a feature': 177,
  },
);
