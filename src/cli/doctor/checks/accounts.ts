/**
 * Accounts that are an administrator's already: Administrators, SYSTEM, TrustedInstaller, and whoever creates a file where only those
 * may. https://learn.microsoft.com/windows-server/identity/ad-ds/manage/understand-security-identifiers
 */
const trusted = [
  'S-1-5-32-544',
  'S-1-5-18',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  'S-1-3-0',
  'S-1-3-4',
];

/** The built-in administrator of a machine or a domain, and the administrators of a domain. */
const administrators = /^S-1-5-21-.*-(500|512|519)$/;

export function isTrusted(sid: string): boolean {
  return trusted.includes(sid) || administrators.test(sid);
}

const names: Readonly<Record<string, string>> = {
  'S-1-1-0': 'Everyone',
  'S-1-5-4': 'Interactive',
  'S-1-5-11': 'Authenticated Users',
  'S-1-5-19': 'Local Service',
  'S-1-5-20': 'Network Service',
  'S-1-5-32-545': 'Users',
  'S-1-5-32-546': 'Guests',
};

/** What Windows calls an account in English, where that is well known. */
export function accountName(sid: string): string {
  return names[sid] ?? sid;
}
