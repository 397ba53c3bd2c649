/** Makes the tiles one stop of the Tab key, with arrows, Home and End to go from one to another. */
export function moveByArrows(tiles: readonly HTMLElement[]): void {
  const isShown = (tile: HTMLElement) => tile.offsetParent !== null;
  const enter = (tile: HTMLElement | undefined) => {
    if (tile === undefined) return;
    for (const other of tiles) other.tabIndex = other === tile ? 0 : -1;
    tile.focus();
  };
  if (tiles[0] !== undefined) tiles[0].tabIndex = 0;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && tiles.includes(target))
      for (const other of tiles) other.tabIndex = other === target ? 0 : -1;
  });
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !tiles.includes(target)) return;
    const shown = tiles.filter(isShown);
    const next = nextOf(shown, target, key);
    if (next === undefined) return;
    event.preventDefault();
    enter(next);
  });
}

/** Keeps the tiles within reach of the Tab key when the one that was is hidden. */
export function keepReachable(tiles: readonly HTMLElement[]): void {
  const shown = tiles.filter((tile) => tile.offsetParent !== null);
  const [first] = shown;
  if (first !== undefined && shown.every(({ tabIndex }) => tabIndex !== 0)) first.tabIndex = 0;
}

function nextOf(tiles: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const index = tiles.indexOf(from);
  switch (key) {
    case 'ArrowRight':
      return tiles[index + 1];
    case 'ArrowLeft':
      return tiles[index - 1];
    case 'ArrowDown':
      return inNextRow(tiles.slice(index + 1), from);
    case 'ArrowUp':
      return inNextRow(tiles.slice(0, index).toReversed(), from);
    case 'Home':
      return tiles[0];
    case 'End':
      return tiles.at(-1);
    default:
      return undefined;
  }
}

/** The nearest of the first row that is not the one it is in. */
function inNextRow(others: readonly HTMLElement[], from: HTMLElement): HTMLElement | undefined {
  const { top, left } = from.getBoundingClientRect();
  const first = others.find((tile) => tile.getBoundingClientRect().top !== top);
  const row = first?.getBoundingClientRect().top;
  const distance = (tile: HTMLElement) => Math.abs(tile.getBoundingClientRect().left - left);
  return others
    .filter((tile) => tile.getBoundingClientRect().top === row)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}
