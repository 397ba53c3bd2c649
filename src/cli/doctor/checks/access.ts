import type { FileAccess } from '../collectors/files.ts';
import type { Facts } from '../facts.ts';
import { type Check, type Judgement, whenKnown } from '../finding.ts';
import { folderOf, isBelow, isSamePath } from '../paths.ts';
import { quoted, quotedAlways } from '../quoted.ts';
import { accountName, isTrusted } from './accounts.ts';

/**
 * FileSystemRights and generic rights by which a file or folder, or what is in it, becomes another one: delete what is inside, delete,
 * change permissions, take ownership, everything.
 * https://learn.microsoft.com/dotnet/api/system.security.accesscontrol.filesystemrights
 */
const replacing = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000;

/** Those, and to write data or create files, to append or create folders, and the generic right to write. */
const writing = replacing | 0x2 | 0x4 | 0x4000_0000;

/** Whether somebody else than administrators can change what runs as SYSTEM, or what it reads, or put another folder in its place. */
export const access: Check = {
  name: 'access',
  judge: (facts) =>
    whenKnown(
      facts.files,
      (files) => {
        const open = files
          .map((file) => ({ file, accounts: writersOf(file, facts), isMendable: isMendable(file, facts) }))
          .filter(({ accounts }) => accounts.length > 0);
        if (files.length === 0)
          return [{ verdict: 'UNKNOWN', seen: 'none of the places of win-hcn is there' }];
        if (open.length > 0)
          return open.filter((one) => !isInherited(one, open)).map((one) => judge(one, open, facts));
        const seen = `only administrators and SYSTEM can change win-hcn, its configuration and its log (${files.length} places)`;
        return [{ verdict: 'PASS', seen }];
      },
      `icacls ${quoted(folderOf(facts.executable))}`,
    ),
};

/** A place that somebody else than administrators can change. */
interface Open {
  readonly file: FileAccess;
  readonly accounts: readonly string[];
  readonly isMendable: boolean;
}

/** Whether nobody else needs a place as it is. In other folders there may be what other accounts write, as the volumes of pods. */
function isMendable({ path, isFolder }: FileAccess, { containerd: { folders } }: Facts): boolean {
  if (isOfWindows(path)) return false;
  const own = [...folders.binDirs, folders.confDir];
  return !isFolder || own.some((folder) => isSamePath(folder, path)) || /\\win-hcn(\\|$)/i.test(path);
}

/** Whether it is open only as a folder further up is, which is mended instead where it can be. */
function isInherited({ file, accounts, ...place }: Open, open: readonly Open[]): boolean {
  const own = file.allowed.some((rule) => !rule.isInherited && accounts.includes(rule.sid));
  const above = open.filter((other) => isBelow(file.path, other.file.path));
  return !own && isTrusted(file.owner) && above.some((other) => other.isMendable || !place.isMendable);
}

/** Those, other than administrators, who may write or decide who may. */
function writersOf({ path, owner, allowed }: FileAccess, { above }: Facts): readonly string[] {
  const isAbove = above.includes(path);
  const deciding = isAbove ? replacing : writing;
  const writers = allowed
    .filter(({ rights, isInheritOnly }) => (rights & deciding) !== 0 && !(isAbove && isInheritOnly))
    .map(({ sid }) => sid);
  return [...new Set([...writers, owner])].filter((sid) => !isTrusted(sid));
}

/** The log is no program, and decides nothing. */
function judge({ file, accounts, ...place }: Open, open: readonly Open[], { log, above }: Facts): Judgement {
  const { path } = file;
  const verdict = log.places.includes(path) ? 'WARN' : 'FAIL';
  const what = above.includes(path) ? 'can be replaced, with all that is in it,' : 'can be changed';
  const below = open.filter((other) => isBelow(other.file.path, path) && isInherited(other, open)).length;
  const more = below === 0 ? '' : `, and so can ${below} ${below === 1 ? 'place' : 'places'} below it`;
  const seen = `${path} ${what} by ${accounts.map(accountName).join(', ')}${more}`;
  if (place.isMendable) return { verdict, seen, fix: fixFor(file, accounts) };
  const advice = isOfWindows(path) ? '' : '; take that right from them unless something else there needs it';
  return { verdict, seen: `${seen}${advice}`, see: `icacls ${quoted(path)}` };
}

/** Folders that others than win-hcn need as they are. */
function isOfWindows(path: string): boolean {
  return /^[A-Z]:\\(((Windows|Users)(\\.*)?)|Program Files( \(x86\))?|ProgramData)?$/i.test(path);
}

/** Nobody but administrators and SYSTEM from then on. */
function fixFor({ path, isFolder, owner, allowed }: FileAccess, accounts: readonly string[]): string {
  const rights = isFolder ? '(OI)(CI)F' : 'F';
  const own = allowed
    .filter(({ sid, isInherited }) => !isInherited && accounts.includes(sid))
    .map(({ sid }) => sid);
  const words = [
    `icacls ${quoted(path)} /inheritance:r`,
    ...['S-1-5-32-544', 'S-1-5-18'].map((sid) => `/grant ${quotedAlways(`*${sid}:${rights}`)}`),
    ...[...new Set(own)].map((sid) => `/remove:g ${quotedAlways(`*${sid}`)}`),
  ];
  const ownership = isTrusted(owner)
    ? ''
    : `; icacls ${quoted(path)} /setowner ${quotedAlways('*S-1-5-32-544')}`;
  return `${words.join(' ')}${ownership}`;
}
