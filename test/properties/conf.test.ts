import { describe } from 'vitest';
import { confProperties } from './conf.properties.ts';
import { tryEach } from './try-each.ts';

describe('conf generate', () => tryEach(confProperties));
