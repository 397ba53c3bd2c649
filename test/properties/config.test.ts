import { describe } from 'vitest';
import { configProperties } from './config.properties.ts';
import { tryEach } from './try-each.ts';

describe('config generate', () => tryEach(configProperties));
