import assert from 'node:assert/strict';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ajvValidator } from '../../../packaging/ajv-validator.mjs';
import { validate as pluginConfig } from '../../../src/config/generated/plugin-config-validate.ts';
import { schemaProblems } from '../../../src/config/schema-problems.ts';
import type { Refusal, Validator } from '../../../src/config/schema-validator.ts';

const ajv = ajvValidator('win-hcn.schema.json');

/** Asserts that our validator of configurations refuses what ajv refuses, with the same problems in the same order. Returns the refusals. */
export function validateAsAjv(json: unknown): readonly Refusal[] {
  const refusals = refusalsOf(pluginConfig, json);
  const expected = refusalsOfAjv(ajv, json);
  assert.deepEqual(refusals.map(withoutSchema), expected.map(withoutSchema));
  assert.deepEqual(schemaProblems(refusals, json), schemaProblems(expected, json));
  return refusals;
}

/** The refusals of one of our validators: none exactly if the JSON is valid. */
export function refusalsOf(validate: Validator<unknown>, json: unknown): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const isValid = validate(json, (refusal) => refusals.push(refusal));
  assert.equal(isValid, refusals.length === 0);
  return refusals;
}

/**
 * The errors of ajv, without those inside `anyOf` and `contains`, of which another branch or item may be valid, and without `if`, which
 * only repeats the errors of `then` and `else`.
 */
export function refusalsOfAjv(validate: ValidateFunction, json: unknown): readonly Refusal[] {
  const isValid = validate(json);
  const refusals = (validate.errors ?? []).filter(isShown).map(asRefusal);
  assert.equal(isValid, refusals.length === 0);
  return refusals;
}

function isShown({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword !== 'if' && !/\/(anyOf\/\d|contains\/)/.test(schemaPath);
}

function asRefusal({
  instancePath: path,
  data: found,
  keyword,
  parentSchema = {},
  params,
}: ErrorObject): Refusal {
  const schema: Record<string, unknown> = parentSchema;
  return { path, found, keyword, schema, key: params['missingProperty'] ?? params['additionalProperty'] };
}

/** A refusal for comparison: the plugin's schemas have no descriptions. */
export function withoutSchema({ schema: _, ...refusal }: Refusal): object {
  return { key: undefined, ...refusal };
}
