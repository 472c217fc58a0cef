import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { useShortcuts } from '../frame/keys.ts'
import { anchored } from '../parts/anchored.ts'
import { LoadError } from '../parts/load-error.tsx'
import { useNextPage } from '../parts/next-page.ts'
import type { useBoards, useTasks } from './data.ts'
import { IN_ARCHIVE } from './table.ts'

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
const AHEAD = 20

/** Archived tasks or boards; only the rows in view are in the document. */
export function List<Row>({ rows, list, what, keyOf, children }: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = anchored(
    useVirtualizer({
      count: rows.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => keyOf(rows[at]!),
      estimateSize: () => HEIGHT,
      overscan: 10,
    }),
  )
  const seen = virtual.getVirtualItems()
  useNextPage(list, (seen.at(-1)?.index ?? 0) >= rows.length - AHEAD)
  const focus = (index: number, selector = '.what') => {
    const row = scroller.current?.querySelector(`[data-index="${index}"]`)
    row?.querySelector<HTMLElement>(selector)?.focus()
  }
  const goTo = (index: number) => {
    const at = Math.max(0, Math.min(index, rows.length - 1))
    virtual.scrollToIndex(at, { align: 'auto' })
    focus(at)
    requestAnimationFrame(() => focus(at))
  }
  const focused = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]')
    return row && scroller.current?.contains(row) ? Number(row.dataset.index) : undefined
  }
  useShortcuts(IN_ARCHIVE, {
    next: () => goTo((focused() ?? -1) + 1),
    back: () => goTo((focused() ?? 1) - 1),
    restore: () => restoreIn(scroller.current, focused()),
  })
  return (
    <div className="rows" ref={scroller}>
      <ul style={{ height: virtual.getTotalSize() }} aria-label={what}>
        {seen.map(({ index, key, start }) => (
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
      <LoadError of={list} what={`more ${what}`} />
    </div>
  )
}

/** As if its button were pressed; false where no row has the focus, or it cannot be restored. */
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
  const target = other?.querySelector<HTMLElement>('.restore') ?? other?.querySelector('.what')
  const field = document.querySelector<HTMLElement>('.archive input')
  ;((target as HTMLElement | null | undefined) ?? field)?.focus()
}
