import { describe } from 'vitest';
import { pureProperties } from './pure.properties.ts';
import { tryEach } from './try-each.ts';

describe('the core', () => tryEach(pureProperties));
