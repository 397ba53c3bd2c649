import { describe } from 'vitest';
import { dialectProperties } from './dialects.properties.ts';
import { tryEach } from './try-each.ts';

describe('configurations of every dialect', () => tryEach(dialectProperties));
