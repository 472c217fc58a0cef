import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useRef } from 'react'
import { LoadError } from '../../kit/load-error.tsx'
import { useNextPage } from '../../kit/next-page.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { t } from '../../messages/t.ts'
import type { useBoards, usePages, useTasks } from './data.ts'
import type { Selection } from './selection.ts'
import { IN_ARCHIVE } from './shortcuts.ts'

interface Props<Row> {
  rows: readonly Row[]
  list: ReturnType<typeof useTasks | typeof usePages | typeof useBoards>['list']
  /** What the rows are, as in "archived tasks". */
  what: string
  keyOf(row: Row): string
  /** Without it, rows cannot be selected. */
  selection?: Selection
  children(row: Row): ReactNode
}

const HEIGHT = 45
/** Rows before the end at which the next page is loaded. */
const PREFETCH_ROWS = 20

/** Archived tasks or boards; only the rows in view are in the document. */
export function List<Row>({ rows, list, what, keyOf, selection, children }: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: rows.length,
      getScrollElement: () => scroller.current,
      getItemKey: (index) => keyOf(rows[index]!),
      estimateSize: () => HEIGHT,
      overscan: 10,
    }),
  )
  const visible = virtual.getVirtualItems()
  useNextPage(list, (visible.at(-1)?.index ?? 0) >= rows.length - PREFETCH_ROWS)
  useListKeys({ scroller, virtual, selection, keys: rows.map(keyOf) })
  return (
    <div className="rows scroller" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }} aria-label={what}>
        {visible.map(({ index, key, start }) => (
          <li
            key={key}
            data-index={index}
            ref={virtual.measureElement}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(rows[index]!)}
          </li>
        ))}
      </ul>
      <LoadError of={list} what={t('archive.more_what', { what })} />
    </div>
  )
}

interface KeysInput {
  scroller: RefObject<HTMLDivElement | null>
  virtual: Pick<Virtualizer<HTMLDivElement, Element>, 'scrollToIndex'>
  selection: Selection | undefined
  /** The keys of all rows, in their order. */
  keys: readonly string[]
}

/** The shortcuts of the list. */
function useListKeys({ scroller, virtual, selection, keys }: KeysInput) {
  const focus = (index: number) => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] .row-title`)
    row?.focus()
    return Boolean(row)
  }
  const goTo = (index: number) => {
    const target = Math.max(0, Math.min(index, keys.length - 1))
    virtual.scrollToIndex(target, { align: 'auto' })
    // A row that is not drawn yet gets the focus in the next frame.
    if (!focus(target)) requestAnimationFrame(() => focus(target))
  }
  const focusedIndex = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]')
    return row && scroller.current?.contains(row) ? Number(row.dataset.index) : undefined
  }
  const choose = (index = focusedIndex()) =>
    index === undefined || !selection ? false : selection.toggle(keys[index]!)
  useShortcuts(IN_ARCHIVE, {
    next: () => goTo((focusedIndex() ?? -1) + 1),
    back: () => goTo((focusedIndex() ?? 1) - 1),
    choose: () => choose(),
    all: () => (selection ? selection.selectAll() : false),
    restore: () =>
      pressIn(document, '.archive .selection .main') ||
      pressIn(scroller.current, `[data-index="${focusedIndex()}"] .restore`),
    erase: () =>
      pressIn(document, '.archive .selection .forever') ||
      pressIn(scroller.current, `[data-index="${focusedIndex()}"] .forever`),
    leave: () => (selection?.selected.size ? selection.clear() : false),
  })
}

/** Presses a button. Returns whether there is one. */
function pressIn(element: ParentNode | null, selector: string): boolean {
  const button = element?.querySelector<HTMLElement>(selector)
  button?.click()
  return button !== null && button !== undefined
}

/**
 * Moves the focus from a row that is about to leave the list to the one that takes its place. The
 * search field is the last resort.
 */
export function leaveRow(from: Element) {
  const row = from.closest('li')
  const other = row?.nextElementSibling ?? row?.previousElementSibling
  const target = other?.querySelector<HTMLElement>('.restore') ?? other?.querySelector('.row-title')
  const field = document.querySelector<HTMLElement>('.archive input')
  ;((target as HTMLElement | null | undefined) ?? field)?.focus()
}
