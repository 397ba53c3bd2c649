import { describe } from 'vitest';
import { nodeProperties } from './nodes.properties.ts';
import { tryEach } from './try-each.ts';

describe('the list of nodes', () => tryEach(nodeProperties));
