/** How many test files run at once under Wine, each in a prefix of its own. Programs of Wine wait for one another more than they compute. */
export const workers = 3;
