import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { everyParser } from './parsers/every-parser.ts';

const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('/generated/'))
  .toSorted();

/** What a module contains that turns text or memory into values. */
const reads =
  /\bJSON\.parse\(|\bparse(Json|Object|JsonObject)\(|\bTextDecoder\(|'(smol-toml|@humanwhocodes\/momoa)'|\.read(Big)?UInt/;

/** Modules that contain it, but read only what win-hcn itself wrote, or pass bytes and values on to a parser. */
const others: Readonly<Record<string, string>> = {
  'src/cli/plugin/run-plugin.ts': 'reads the answer of win-hcn itself',
  'src/cli/collect/node-files.ts': 'keeps of parsed files what the allow-list knows',
  'src/cli/collect/hcn.ts': 'keeps of the documents of HNS what the allow-list knows',
  'src/cli/probe/hcn-calls.ts':
    'returns what HNS returned, as text if it is not JSON; experiments compare it',
  'src/config/schema-validator.ts': "reads win-hcn's own schemas",
  'src/log/logged-calls.ts': 'reads documents that win-hcn sends',
  'src/cli/config/command.ts': 'looks for placeholders in a text, which it then passes on',
  'src/cli/doctor/runtime.ts': 'reads the log as text',
  'src/cli/install/files.ts': 'prints the output of icacls with an error',
  'src/plugin/run.ts': 'reads stdin with functions of cni/text',
  'src/plugin/outcome.ts': 'reads stdin with functions of cni/text',
  'src/iphlpapi/load-ip-helper.ts': 'reads one byte of a structure that it allocated',
};

/** The functions of a module that read foreign text by their names and first parameters. */
function readersIn(source: string): readonly string[] {
  const exported =
    /^export (?:async )?function ((?:parse|read)\w*)(?:<[^(]*>)?\(\s*\{?\s*(text|json|bytes|output|lines|table|buffer|word|value)\b/gm;
  return [...source.matchAll(exported)].map(([, name = '']) => name);
}

/** Their arguments are those of a caller, not what another program wrote. */
const notReaders = ['readMembers'];

test('every module that reads foreign text has a property that tries any text', () => {
  const covered = new Set(everyParser.flatMap(({ functions }) => Object.keys(functions)));
  const found = sources.filter((path) => reads.test(readFileSync(path, 'utf8')));
  expect(found.filter((path) => !covered.has(path) && !(path in others))).toEqual([]);
  expect(Object.keys(others).filter((path) => !found.includes(path) || covered.has(path))).toEqual([]);
});

test('every exported function that reads foreign text has a property that tries any text', () => {
  const covered = new Set(everyParser.flatMap(({ functions }) => Object.values(functions).flat()));
  const found = sources.flatMap((path) => readersIn(readFileSync(path, 'utf8')));
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter((name) => !covered.has(name) && !notReaders.includes(name))).toEqual([]);
});

test('the table of parsers names functions that exist', () => {
  const named = everyParser.flatMap(({ functions }) => Object.entries(functions));
  const missing = named.flatMap(([path, names]) => {
    const source = readFileSync(path, 'utf8');
    return names.filter((name) => !new RegExp(`export (async )?function ${name}\\b`).test(source));
  });
  expect(missing).toEqual([]);
});
