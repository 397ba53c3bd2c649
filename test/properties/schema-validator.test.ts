import { describe } from 'vitest';
import { schemaValidatorProperties } from './schema-validator.properties.ts';
import { tryEach } from './try-each.ts';

describe('the validator', () => tryEach(schemaValidatorProperties));
