import { expect, test } from 'vitest';
import { camelCased, settingItems, settingsText } from '../../../../src/cli/inventory/policy-text.ts';

test.each([
  [
    { Protocol: 6, VIP: '', Exceptions: ['10.0.0.0/8', '10.96.0.0/12'] },
    'Protocol=6; Exceptions=10.0.0.0/8, 10.96.0.0/12',
  ],
  [{ Addresses: '10.0.0.1,10.0.0.2', Search: [] }, 'Addresses=10.0.0.1, 10.0.0.2'],
  [
    { PresharedKey: 'open sesame', More: { Key: 'open sesame' } },
    'PresharedKey=(secret); More={"Key":"(secret)"}',
  ],
  [undefined, ''],
])('the settings %j as text', (settings, text) => {
  expect(settingsText(settings)).toBe(text);
});

test('the items of settings for a comparison', () => {
  expect(settingItems({ List: ['a', 'b'], Text: 'c,d', Flag: true, Key: 'e' })).toEqual([
    ['List', 'a'],
    ['List', 'b'],
    ['Text', 'c'],
    ['Text', 'd'],
    ['Flag', 'true'],
    ['Key', '(secret)'],
  ]);
  expect(settingItems(undefined)).toEqual([['', 'no settings']]);
});

test('JSON has the members of a document in camel case, and no secret keys', () => {
  expect(
    camelCased({ VSID: 1, IPAddress: ['A'], Settings: [{ NeedEncap: true, PresharedKey: 's' }], none: null }),
  ).toEqual({
    vsid: 1,
    ipAddress: ['A'],
    settings: [{ needEncap: true, presharedKey: '(secret)' }],
    none: null,
  });
});
