import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { useNextPage } from '../../kit/next-page.ts'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { t } from '../../messages/t.ts'
import type { useInbox } from './data.ts'
import { RowView } from './row.tsx'
import type { Triage } from './triage.ts'
import type { Note } from './types.ts'

interface Props {
  notes: readonly Note[]
  list: ReturnType<typeof useInbox>['list']
  me: number | undefined
  isArchive: boolean
  /** The current actions with a stable identity. */
  stableTriage: Triage
  triage: Triage
}

const HEIGHT = 84
/** The number of rows before the end at which the next page loads. */
const PREFETCH_ROWS = 20

/** The virtualized list. New notifications do not move the ones being read. */
export function List({ notes, list, me, isArchive, stableTriage, triage }: Props) {
  const { active, selected, replyingTo } = triage
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: notes.length,
      getScrollElement: () => scroller.current,
      getItemKey: (index) => notes[index]!.notification_id,
      estimateSize: () => HEIGHT,
      overscan: 8,
    }),
  )
  const visible = virtual.getVirtualItems()
  useNextPage(list, (visible.at(-1)?.index ?? 0) >= notes.length - PREFETCH_ROWS)
  const newCount = useNewCount(scroller, notes)
  useFocus(scroller, notes, triage, (index) => virtual.scrollToIndex(index, { align: 'auto' }))
  return (
    <div className="notes" ref={scroller}>
      <NewNotifications count={newCount} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <ul style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, key, start }) => {
          const note = notes[index]!
          const id = note.notification_id
          return (
            <li
              key={key}
              data-index={index}
              data-note={id}
              ref={virtual.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RowView
                {...{ note, me, isArchive }}
                active={id === active}
                selected={selected.has(id)}
                isReplying={id === replyingTo}
                triage={stableTriage}
              />
            </li>
          )
        })}
      </ul>
      <LoadError of={list} what={t('inbox.more_notifications')} />
    </div>
  )
}

/** A button that shows new notifications above the visible ones. */
const NewNotifications = ({ count, onShow }: { count: number; onShow(): void }) => (
  <div role="status">
    {count > 0 && (
      <button type="button" className="button main new-items" onClick={onShow}>
        <Icon name="arrow" />
        {t('inbox.count_new', { count })}
      </button>
    )}
  </div>
)

/** The number of new notifications above the visible ones. */
function useNewCount(scroller: RefObject<HTMLElement | null>, notes: readonly Note[]): number {
  const [newest, setNewest] = useState<number>()
  const isAway = (scroller.current?.scrollTop ?? 0) > 0
  useEffect(() => {
    if (!isAway) setNewest(notes[0]?.notification_id)
  }, [isAway, notes])
  const index = notes.findIndex(({ notification_id }) => notification_id === newest)
  return isAway ? Math.max(0, index) : 0
}

/** Focuses the active row after a shortcut, scrolling to it first. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  notes: readonly Note[],
  { active, focusRequest }: Triage,
  scrollTo: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a shortcut moves the focus
  useEffect(() => {
    const index = notes.findIndex(({ notification_id }) => notification_id === active)
    if (index < 0 || !focusRequest) return
    scrollTo(index)
    const frame = requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-note="${active}"] .row-title`)
        ?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(frame)
  }, [focusRequest])
}
