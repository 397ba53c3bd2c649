import { describe } from 'vitest';
import { policyProperties } from './policies.properties.ts';
import { tryEach } from './try-each.ts';

describe('policies that win-hcn takes are ones the simulated service takes', () => tryEach(policyProperties));
