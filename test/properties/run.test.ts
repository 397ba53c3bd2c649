import { describe } from 'vitest';
import { runProperties } from './run.properties.ts';
import { tryEach } from './try-each.ts';

describe('the answer is one JSON document or none, the exit code fits, and no deadline is passed', () =>
  tryEach(runProperties));
