import { describe } from 'vitest';
import { addressProperties } from './addresses.properties.ts';
import { dialectProperties } from './dialects.properties.ts';
import { outboundNatProperties } from './outbound-nat.properties.ts';
import { ownershipProperties } from './ownership.properties.ts';
import { parserProperties } from './parsers.properties.ts';
import { policyProperties } from './policies.properties.ts';
import { pureProperties } from './pure.properties.ts';
import { schemaValidatorProperties } from './schema-validator.properties.ts';
import { tryEach } from './try-each.ts';

/** Those with a node of their own are in files of their own. */
describe.each([
  ['addresses', addressProperties],
  ['configurations of every dialect', dialectProperties],
  ['merging outbound NAT', outboundNatProperties],
  ['the core', pureProperties],
  ['the simulated service accepts the policies that win-hcn accepts', policyProperties],
  ['the validator', schemaValidatorProperties],
  ['whatever other programs write,', parserProperties],
  ['for every set of endpoints on a network', ownershipProperties],
])('%s', (_, properties) => tryEach(properties));
