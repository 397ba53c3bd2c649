import { describe } from 'vitest';
import { outboundNatProperties } from './outbound-nat.properties.ts';
import { tryEach } from './try-each.ts';

describe('merging outbound NAT', () => tryEach(outboundNatProperties));
