import type { GraphData } from '../graph-data.ts';

const graph: GraphData = JSON.parse(document.getElementById('graph')?.textContent ?? '');
const plain = document.createElement('pre');
plain.textContent = JSON.stringify(graph, undefined, 2);
document.body.append(plain);
