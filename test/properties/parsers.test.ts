import { describe } from 'vitest';
import { parserProperties } from './parsers.properties.ts';
import { tryEach } from './try-each.ts';

describe('whatever other programs write,', () => tryEach(parserProperties));
