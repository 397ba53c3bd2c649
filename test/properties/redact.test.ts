import { describe } from 'vitest';
import { redactProperties } from './redact.properties.ts';
import { tryEach } from './try-each.ts';

describe('redacting', () => tryEach(redactProperties));
