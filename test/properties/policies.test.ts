import { describe } from 'vitest';
import { policyProperties } from './policies.properties.ts';
import { tryEach } from './try-each.ts';

describe('the simulated service accepts the policies that win-hcn accepts', () => tryEach(policyProperties));
