import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkPlugin } from '../../../../src/cli/validate/check-plugin.ts';
import { isObject, type JsonObject } from '../../../../src/json/members.ts';
import { publishedConfigs } from '../../config/published-configs.ts';

function diagnosticsOf(config: JsonObject) {
  const type = typeof config['type'] === 'string' ? config['type'] : 'win-hcn';
  const given = { cniVersion: '1.0.0', name: 'n', ...config };
  const { problems, warnings } = checkPlugin({ config: given, path: '', type, ours: true }, 'win-hcn.exe');
  return { problems, warnings: warnings.map(({ text }) => text) };
}

test.each(publishedConfigs)(
  'validate accepts the configuration of $source, and warns only about known mistakes',
  ({ config, warnings = [] }) => {
    expect(diagnosticsOf(config)).toEqual({ problems: [], warnings });
  },
);

test.each(readdirSync('test/e2e/vectors'))('validate accepts %s without warnings', (file) => {
  const { config } = JSON.parse(readFileSync(`test/e2e/vectors/${file}`, 'utf8'));
  expect(diagnosticsOf(isObject(config) ? config : {})).toEqual({ problems: [], warnings: [] });
});
