import { describe } from 'vitest';
import { pathProperties } from './path.properties.ts';
import { tryEach } from './try-each.ts';

describe('packets', () => tryEach(pathProperties));
