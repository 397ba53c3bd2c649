import { describe } from 'vitest';
import { lifeProperties } from './life.properties.ts';
import { tryEach } from './try-each.ts';

describe('the life of an attachment', () => tryEach(lifeProperties));
