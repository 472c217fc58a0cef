import type { MenuItem } from '../../../kit/menu-popup.tsx'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { PINNED, storedColumns, type TableColumn, toggleField } from './column-list.ts'
import { canGroupBy } from './grouping.ts'
import type { HeadActions } from './head.tsx'
import { nextSorting, type SortKey, sortParam } from './sort.ts'
import type { Field } from './types.ts'
import type { Table } from './use-table.ts'

export const MIN_WIDTH = 56
export const MAX_WIDTH = 800
const clamp = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))

/** Changes the columns, the sorting and the groups from the heads of the columns. */
export function headActions(
  table: Table,
  boardQuery: BoardQuery,
  grid: () => HTMLElement | null,
): HeadActions {
  const { columns } = table
  const { changeDisplay, updateAddress, sorting } = boardQuery
  const save = (next: readonly TableColumn[]) => changeDisplay({ columns: storedColumns(next) })
  const setSorting = (stack: readonly SortKey[]) =>
    updateAddress((query) => query.set('sort', sortParam(stack)))
  const indexOf = (name: string) => columns.findIndex(({ field }) => field.name === name)
  const moveTo = (name: string, to: number) => {
    const from = indexOf(name)
    const first = columns.filter(({ field }) => PINNED.includes(field.name)).length
    if (from < first || to < first || to >= columns.length || from === to) return
    save(columns.toSpliced(from, 1).toSpliced(to, 0, columns[from]!))
  }
  const resize = (name: string, width: number) =>
    save(columns.map((one) => (one.field.name === name ? { ...one, width: clamp(width) } : one)))
  const shift = (name: string, by: 1 | -1) => moveTo(name, indexOf(name) + by)
  const actions: HeadActions = {
    ...{ resize, shift },
    sort: (mode, isAdded) => setSorting(nextSorting(sorting, mode, isAdded)),
    move(name, target, isAfter) {
      const [from, to] = [indexOf(name), indexOf(target)]
      // Removing the column first shifts the columns after it by one.
      moveTo(name, to + Number(isAfter) - Number(from < to))
    },
    preview: (name, width) =>
      grid()?.style.setProperty('--columns', templateOf(columns, { name, width: clamp(width) })),
    fit: (name) => resize(name, fittingWidth(grid(), name)),
    menu: (name) => headMenu(table, boardQuery, { name, actions, setSorting }),
  }
  return actions
}

/** The last column of the head has the button that chooses columns. */
export const CHOOSER_WIDTH = 36

/** The widths of the columns for the grid. The title takes the space that is left. */
export const templateOf = (
  columns: readonly TableColumn[],
  changed?: { name: string; width: number },
) =>
  columns
    .map(({ field, width }) => (changed?.name === field.name ? changed.width : width))
    .map((width, at) =>
      columns[at]!.field.name === 'title' ? `minmax(${width}px, 1fr)` : `${width}px`,
    )
    .concat(`${CHOOSER_WIDTH}px`)
    .join(' ')

const PADDING = 24

function fittingWidth(grid: HTMLElement | null, name: string): number {
  const cells = [...(grid?.querySelectorAll<HTMLElement>(`.cell[data-field="${name}"]`) ?? [])]
  const widths = cells.map((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    const { width } = range.getBoundingClientRect()
    return Math.max(width, ...[...cell.querySelectorAll('*')].map(({ scrollWidth }) => scrollWidth))
  })
  return Math.max(MIN_WIDTH, ...widths) + PADDING
}

interface MenuOptions {
  name: string
  actions: HeadActions
  setSorting(stack: readonly SortKey[]): void
}

/** The menu of a column, with all that the mouse does with its head. */
function headMenu(table: Table, boardQuery: BoardQuery, options: MenuOptions): MenuItem[][] {
  const { field } = table.columns.find((column) => column.field.name === options.name)!
  return [
    sortItems(field, boardQuery, options),
    canGroupBy(field) ? [groupItem(field, table, boardQuery)] : [],
    placeItems(field, table, boardQuery, options),
  ].filter((items) => items.length)
}

function sortItems({ sort: mode }: Field, { sorting }: BoardQuery, { setSorting }: MenuOptions) {
  const current = sorting.find((key) => key.mode === mode)?.order
  const sortBy = (name: string, order: SortKey['order']) => ({
    ...{ name, checked: current === order },
    run: () => setSorting(current === order ? [] : [{ mode, order }]),
  })
  return [
    sortBy(t('board.sort_ascending'), 'Ascending'),
    sortBy(t('board.sort_descending'), 'Descending'),
  ]
}

function groupItem(field: Field, { groupFields }: Table, { changeDisplay }: BoardQuery): MenuItem {
  const isGroup = groupFields[0] === field
  return {
    ...{ name: t('table.group_by_this'), checked: isGroup },
    run: () => changeDisplay({ group: isGroup ? 'none' : field.name }),
  }
}

function placeItems(
  field: Field,
  table: Table,
  { display: { totals }, changeDisplay }: BoardQuery,
  { actions }: MenuOptions,
): MenuItem[] {
  const { name } = field
  const move = (text: string, icon: 'back' | 'arrow', hint: string, by: 1 | -1) => ({
    ...{ name: text, icon, hint },
    run: () => actions.shift(name, by),
  })
  const hide = () =>
    changeDisplay({
      columns: toggleField(table, field),
      ...(totals && { totals: totals.filter((total) => total.field !== name) }),
    })
  const fit: MenuItem = {
    ...{ name: t('table.fit_width'), icon: 'expand' },
    run: () => actions.fit(name),
  }
  if (name === 'title') return [fit]
  return [
    ...(PINNED.includes(name)
      ? []
      : [
          move(t('table.move_left'), 'back', 'Alt+←', -1),
          move(t('table.move_right'), 'arrow', 'Alt+→', 1),
        ]),
    fit,
    { name: t('table.hide_column'), icon: 'close', run: hide },
  ]
}
