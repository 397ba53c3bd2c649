import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openConfig } from '../../src/config/open-config.ts';
import { readNetworkConfig } from '../../src/config/read-config.ts';
import { publishedConfigs } from '../unit/config/published-configs.ts';
import { validConfig } from './arbitraries.ts';
import type { Property } from './property.ts';

type Json = Readonly<Record<string, unknown>>;
type Entry = readonly [key: string, value: unknown];

const published = fc.constantFrom(...publishedConfigs.map(({ config }) => config));
const anyConfig = fc.oneof(
  published,
  validConfig.map((config): Json => JSON.parse(JSON.stringify(config))),
);
const choices = fc.infiniteStream(fc.nat({ max: 999 }));

/** The translated configuration, and its ignored keys. */
function translated(config: Json) {
  const opened = openConfig(config, 'win-hcn.exe', 'K8S_POD_NAMESPACE=team-a');
  return {
    network: readNetworkConfig(opened.json, {}, opened),
    ignored: opened.ignored.map((path) => path.toLowerCase()).sort(),
  };
}

/** Returns the value with changed members in every object. */
function changed(value: unknown, change: (members: readonly Entry[]) => readonly Entry[]): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): Entry => [key, changed(member, change)]);
  return Object.fromEntries(change(members));
}

export const dialectProperties: readonly Property[] = [
  {
    name: 'the case of keys has no effect, at any level',
    property: fc.property(anyConfig, choices, (config, choose) => {
      const recased = (key: string) =>
        [...key]
          .map((letter) => (choose.next().value % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase()))
          .join('');
      const other = changed(config, (members) => members.map(([key, member]) => [recased(key), member]));
      assert.deepEqual(translated(other as Json), translated(config));
    }),
    runs: { test: 500, fuzz: 1000 },
  },
  {
    name: 'the order of keys has no effect, at any level',
    property: fc.property(anyConfig, choices, (config, choose) => {
      const other = changed(config, (members) =>
        members
          .map((member) => ({ member, rank: choose.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ member }) => member),
      );
      assert.deepEqual(translated(other as Json), translated(config));
    }),
    runs: { test: 500, fuzz: 1000 },
  },
];
