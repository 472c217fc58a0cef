import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { anchored } from '../parts/anchored.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { useNextPage } from '../parts/next-page.ts'
import type { useInbox } from './data.ts'
import { RowView } from './row.tsx'
import type { Note } from './shapes.ts'
import type { Triage } from './triage.ts'

interface Props {
  notes: readonly Note[]
  list: ReturnType<typeof useInbox>['list']
  me: number | undefined
  isArchive: boolean
  /** As it is now, and the same one whenever it is asked. */
  now: Triage
  triage: Triage
}

const HEIGHT = 84
/** Rows before the end at which the next page is asked for. */
const AHEAD = 20

/** Only those that can be seen are in the document; what is new does not move what one reads. */
export function List({ notes, list, me, isArchive, now, triage }: Props) {
  const { active, chosen, answering } = triage
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = anchored(
    useVirtualizer({
      count: notes.length,
      getScrollElement: () => scroller.current,
      getItemKey: (at) => notes[at]!.notification_id,
      estimateSize: () => HEIGHT,
      overscan: 8,
    }),
  )
  const seen = virtual.getVirtualItems()
  useNextPage(list, (seen.at(-1)?.index ?? 0) >= notes.length - AHEAD)
  const fresh = useFresh(scroller, notes)
  useFocus(scroller, notes, triage, (at) => virtual.scrollToIndex(at, { align: 'auto' }))
  return (
    <div className="notes" ref={scroller}>
      <Fresh many={fresh} onShow={() => scroller.current?.scrollTo({ top: 0 })} />
      <ul style={{ height: virtual.getTotalSize() }}>
        {seen.map(({ index, key, start }) => {
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
                chosen={chosen.has(id)}
                answering={id === answering}
                triage={now}
              />
            </li>
          )
        })}
      </ul>
      <LoadError of={list} what="more notifications" />
    </div>
  )
}

/** What came in above, where that is out of sight. */
const Fresh = ({ many, onShow }: { many: number; onShow(): void }) => (
  <div role="status">
    {many > 0 && (
      <button type="button" className="button main fresh" onClick={onShow}>
        <Icon name="arrow" />
        {many} new
      </button>
    )}
  </div>
)

/** How many came in above what is read. */
function useFresh(scroller: RefObject<HTMLElement | null>, notes: readonly Note[]): number {
  const [newest, setNewest] = useState<number>()
  const isAway = (scroller.current?.scrollTop ?? 0) > 0
  useEffect(() => {
    if (!isAway) setNewest(notes[0]?.notification_id)
  }, [isAway, notes])
  const known = notes.findIndex(({ notification_id }) => notification_id === newest)
  return isAway ? Math.max(0, known) : 0
}

/** Where a key asked for it, the focus goes to the row, which may have to be scrolled to first. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  notes: readonly Note[],
  { active, asked }: Triage,
  show: (at: number) => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a key takes the focus along
  useEffect(() => {
    const at = notes.findIndex(({ notification_id }) => notification_id === active)
    if (at < 0 || !asked) return
    show(at)
    const frame = requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-note="${active}"] .what`)
        ?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(frame)
  }, [asked])
}
