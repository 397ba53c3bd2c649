import { describe } from 'vitest';
import { ownershipProperties } from './ownership.properties.ts';
import { tryEach } from './try-each.ts';

describe('for every set of endpoints on a network', () => tryEach(ownershipProperties));
