/** Makes buttons a single tab stop. Arrow keys, Home and End move between them. */
export function enableArrowKeys(buttons: readonly HTMLElement[]): void {
  const setTabStop = (current: HTMLElement | undefined) => {
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
  };
  setTabStop(buttons[0]);
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && buttons.includes(target)) setTabStop(target);
  });
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !buttons.includes(target)) return;
    const next = findNext(buttons.filter(isVisible), target, key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

/** Moves the tab stop to the first visible button if its button is hidden. */
export function updateTabStop(buttons: readonly HTMLElement[]): void {
  const visible = buttons.filter(isVisible);
  const [first] = visible;
  if (first !== undefined && visible.every(({ tabIndex }) => tabIndex !== 0)) first.tabIndex = 0;
}

function isVisible(button: HTMLElement): boolean {
  return button.offsetParent !== null;
}

function findNext(buttons: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const index = buttons.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return buttons[index + 1];
    case 'ArrowLeft':
      return buttons[index - 1];
    case 'ArrowDown':
      return nearestInNextRow(buttons.slice(index + 1), from);
    case 'ArrowUp':
      return nearestInNextRow(buttons.slice(0, index).toReversed(), from);
    case 'Home':
      return buttons[0];
    case 'End':
      return buttons.at(-1);
    default:
      return undefined;
  }
}

/** The horizontally nearest button in the first row other than the current. */
function nearestInNextRow(others: readonly HTMLElement[], from: HTMLElement): HTMLElement | undefined {
  const { top, left } = from.getBoundingClientRect();
  const first = others.find((button) => button.getBoundingClientRect().top !== top);
  const row = first?.getBoundingClientRect().top;
  const distance = (button: HTMLElement) => Math.abs(button.getBoundingClientRect().left - left);
  return others
    .filter((button) => button.getBoundingClientRect().top === row)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}
