import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { addressesOf, exclusively } from '../../../../src/cli/install/exclusive.ts';
import { notOnWindows, notUnderWine } from '../../../not-on-windows.ts';

const sharedPipe = 'Wine lets two servers listen on a pipe of one name';
const folder = `/opt/cni/${process.pid}`;
const isWindows = process.platform === 'win32';

notUnderWine(sharedPipe)('one installation in a folder refuses another', async () => {
  const second = await exclusively([folder], () =>
    exclusively([folder.toUpperCase()], async () => 'ran').catch((error: unknown) => error),
  );
  const [name = ''] = addressesOf(folder, isWindows);
  expect(second).toMatchObject({
    code: 11,
    message: `another command of win-hcn is changing ${folder.toUpperCase()}: run this command again when it has finished. If none runs, another program holds the name ${name.replace('\0', '@')}: end it`,
  });
});

notUnderWine(sharedPipe)(
  'one command in several folders refuses another in one of them, and a folder can be given twice',
  async () => {
    const conf = `${folder}/net.d`;
    const second = await exclusively([folder, conf, folder], () =>
      exclusively([conf], async () => 'ran').catch((error: unknown) => error),
    );
    expect(second).toMatchObject({ code: 11, message: expect.stringContaining(`is changing ${conf}:`) });
  },
);

test('does not affect another folder', async () => {
  expect(await exclusively([folder], () => exclusively([`${folder}/other`], async () => 'ran'))).toBe('ran');
});

test('allows the next one, also after a failure', async () => {
  const failed = exclusively([folder], () => Promise.reject(new Error('no space')));
  await expect(failed).rejects.toThrow('no space');
  expect(await exclusively([folder], async () => 'ran')).toBe('ran');
});

test('on Windows it has a name that only administrators can take, and one for accounts that can only show the steps', () => {
  expect(addressesOf('C:\\opt\\cni\\bin', true)).toEqual([
    '\\\\.\\pipe\\ProtectedPrefix\\Administrators\\win-hcn-install-42f7ddb09abef20c',
    '\\\\.\\pipe\\win-hcn-install-42f7ddb09abef20c',
  ]);
});

/** A mutex with these names, in this order. */
const only =
  (...addresses: readonly string[]) =>
  () =>
    addresses;

// libuv refuses a socket in a missing folder as Windows refuses a name with a prefix that the account must not use.
const protectedPrefix = 'administrators may use every name there, and Wine allows it to all accounts';
const forbidden = '/nowhere/win-hcn';
const beginning = isWindows ? '\\\\.\\pipe\\' : '\0';
const [first, second] = [
  `${beginning}win-hcn-first-${process.pid}`,
  `${beginning}win-hcn-second-${process.pid}`,
];

notOnWindows(protectedPrefix)(
  'another account that holds the second name does not prevent an installation',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(second, resolve));
    expect(await exclusively([folder], async () => 'ran', only(first, second))).toBe('ran');
    await expect(exclusively([folder], async () => 'ran', only(forbidden, second))).rejects.toThrow(
      `If none runs, another program holds the name ${second.replace('\0', '@')}: end it`,
    );
    await new Promise((resolve) => other.close(resolve));
  },
);

notOnWindows(protectedPrefix)('an account that must not use the first name uses the second one', async () => {
  expect(await exclusively([folder], async () => 'ran', only(forbidden, second))).toBe('ran');
  const inside = exclusively(
    [folder],
    () => exclusively([folder], async () => 'ran', only(forbidden, second)),
    only(forbidden, second),
  );
  await expect(inside).rejects.toMatchObject({ code: 11 });
});

notUnderWine(sharedPipe)(
  'a process that holds the first name refuses another installation, which does not use the second name',
  async () => {
    const inside = exclusively(
      [folder],
      () => exclusively([folder], async () => 'ran', only(first, second)),
      only(first, second),
    );
    await expect(inside).rejects.toMatchObject({ code: 11 });
  },
);
