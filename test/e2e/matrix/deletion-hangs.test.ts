import { runMatrix } from './matrix.ts';
import { hangsOnAttached, on } from './other-hns.ts';
import { centralScenarios } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';
import { central } from './whole.ts';

const scenarios = on(hangsOnAttached, centralScenarios).map(
  (scenario) => ({ ...scenario, hasVariants: true }) as const,
);
const counts: Readonly<Record<string, number>> = {
  'ADD with an IPAM plugin': 100,
  'ADD that creates the network with its host endpoint': 337,
  'ADD with exceptions of both families': 100,
  'ADD with a host port': 100,
  'ADD that creates an Overlay network': 191,
  'DEL with an IPAM plugin': 52,
  'DEL without CNI_NETNS': 99,
  CHECK: 68,
  'GC of an endpoint': 148,
  STATUS: 36,
};
const cells = Object.fromEntries(
  Object.entries(counts).map(([name, others]) => [`${name} ${hangsOnAttached.name}`, { others }]),
);

testMatrix({ file: import.meta.filename, cells, part: 'others', title: 'what can become of every call' }, [
  { scenarios, run: (scenario) => runMatrix(scenario, [{ effects: central, nexts: ['DEL'] }]) },
]);
