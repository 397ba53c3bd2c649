import { describe } from 'vitest';
import { runProperties } from './run.properties.ts';
import { tryEach } from './try-each.ts';

describe('the answer is one JSON document or none, the exit code matches, and no time limit is exceeded', () =>
  tryEach(runProperties));
