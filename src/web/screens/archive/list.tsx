import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { LoadError } from '../../kit/load-error.tsx'
import { useNextPage } from '../../kit/next-page.ts'
import { useShortcuts } from '../../kit/shortcuts.ts'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { t } from '../../messages/t.ts'
import type { useBoards, useTasks } from './data.ts'
import { IN_ARCHIVE } from './shortcuts.ts'

interface Props<Row> {
  rows: readonly Row[]
  list: ReturnType<typeof useTasks>['list'] | ReturnType<typeof useBoards>['list']
  /** What the rows are, as in "archived tasks". */
  what: string
  keyOf(row: Row): string
  children(row: Row): ReactNode
}

const HEIGHT = 45
/** Rows before the end at which the next page is loaded. */
const PREFETCH_ROWS = 20

/** Archived tasks or boards; only the rows in view are in the document. */
export function List<Row>({ rows, list, what, keyOf, children }: Props<Row>) {
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
  const focus = (index: number) => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] .row-title`)
    row?.focus()
    return Boolean(row)
  }
  const goTo = (index: number) => {
    const target = Math.max(0, Math.min(index, rows.length - 1))
    virtual.scrollToIndex(target, { align: 'auto' })
    // A row that is not drawn yet gets the focus in the next frame.
    if (!focus(target)) requestAnimationFrame(() => focus(target))
  }
  const focusedIndex = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]')
    return row && scroller.current?.contains(row) ? Number(row.dataset.index) : undefined
  }
  useShortcuts(IN_ARCHIVE, {
    next: () => goTo((focusedIndex() ?? -1) + 1),
    back: () => goTo((focusedIndex() ?? 1) - 1),
    restore: () => restoreIn(scroller.current, focusedIndex()),
  })
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

/** Presses the Restore button of the focused row. Returns false if there is none. */
function restoreIn(scroller: Element | null, index: number | undefined) {
  const button = scroller?.querySelector<HTMLElement>(`[data-index="${index}"] .restore`)
  if (!button) return false
  button.click()
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
