import { describe } from 'vitest';
import { addressProperties } from './addresses.properties.ts';
import { tryEach } from './try-each.ts';

describe('addresses', () => tryEach(addressProperties));
