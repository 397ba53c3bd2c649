/** Makes buttons one stop of the Tab key, with arrows, Home and End to go from one to another. */
export function moveByArrows(buttons: readonly HTMLElement[]): void {
  const stopAt = (stop: HTMLElement | undefined) => {
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  stopAt(buttons[0]);
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && buttons.includes(target)) stopAt(target);
  });
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !buttons.includes(target)) return;
    const next = nextOf(buttons.filter(isShown), target, key);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

/** Keeps the buttons within reach of the Tab key when the one that was is hidden. */
export function keepReachable(buttons: readonly HTMLElement[]): void {
  const shown = buttons.filter(isShown);
  const [first] = shown;
  if (first !== undefined && shown.every(({ tabIndex }) => tabIndex !== 0)) first.tabIndex = 0;
}

function isShown(button: HTMLElement): boolean {
  return button.offsetParent !== null;
}

function nextOf(buttons: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const index = buttons.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return buttons[index + 1];
    case 'ArrowLeft':
      return buttons[index - 1];
    case 'ArrowDown':
      return inNextRow(buttons.slice(index + 1), from);
    case 'ArrowUp':
      return inNextRow(buttons.slice(0, index).toReversed(), from);
    case 'Home':
      return buttons[0];
    case 'End':
      return buttons.at(-1);
    default:
      return undefined;
  }
}

/** The nearest of the first row that is not the one it is in. */
function inNextRow(others: readonly HTMLElement[], from: HTMLElement): HTMLElement | undefined {
  const { top, left } = from.getBoundingClientRect();
  const first = others.find((button) => button.getBoundingClientRect().top !== top);
  const row = first?.getBoundingClientRect().top;
  const distance = (button: HTMLElement) => Math.abs(button.getBoundingClientRect().left - left);
  return others
    .filter((button) => button.getBoundingClientRect().top === row)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}
