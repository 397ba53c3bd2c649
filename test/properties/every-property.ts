import { addressProperties } from './addresses.properties.ts';
import { dialectProperties } from './dialects.properties.ts';
import { lifeProperties } from './life.properties.ts';
import { outboundNatProperties } from './outbound-nat.properties.ts';
import { ownershipProperties } from './ownership.properties.ts';
import { parserProperties } from './parsers.properties.ts';
import { policyProperties } from './policies.properties.ts';
import { previewProperties } from './preview.properties.ts';
import type { Property } from './property.ts';
import { pureProperties } from './pure.properties.ts';
import { runProperties } from './run.properties.ts';
import { schemaValidatorProperties } from './schema-validator.properties.ts';

/** The properties of `npm run fuzz`, quick ones first: the others use the rest of the time. */
export const everyProperty: readonly Property[] = [
  ...pureProperties,
  ...parserProperties,
  ...addressProperties,
  ...ownershipProperties,
  ...outboundNatProperties,
  ...policyProperties,
  ...schemaValidatorProperties,
  ...dialectProperties,
  ...previewProperties,
  ...runProperties,
  ...lifeProperties,
];
