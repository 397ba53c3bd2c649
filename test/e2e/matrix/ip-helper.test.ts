import { addCells, otherCells } from './cells.ts';
import { ofIpHelper } from './effects.ts';
import { runMatrix } from './matrix.ts';
import { adds, checks } from './scenarios.ts';
import { testMatrix } from './test-matrix.ts';

const title = 'everything that can become of every call to the IP Helper';
const callIt = ['host endpoint', 'creates the network', 'creates an Overlay network', 'of an MTU'];
const scenarios = [...adds, ...checks].filter(({ name }) => callIt.some((part) => name.includes(part)));

testMatrix({ file: import.meta.filename, cells: { ...addCells, ...otherCells }, part: 'ipHelper', title }, [
  { scenarios, run: (scenario) => runMatrix(scenario, [{ effects: ofIpHelper, nexts: ['DEL', 'ADD'] }]) },
]);
