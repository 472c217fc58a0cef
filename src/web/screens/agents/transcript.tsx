import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { withoutScrollAdjustment } from '../../kit/virtualizer.ts'
import { t } from '../../messages/t.ts'
import { DEFAULT_HEIGHT, EntryView, estimateHeight } from './entry.tsx'
import { useFollowEnd } from './follow-end.ts'
import type { Entry, Transcript } from './transcript-store.ts'

export interface TranscriptHandle {
  /** Scrolls to the entry with this number, from 1. */
  show(number: number): void
  start(): void
  end(): void
}

interface Props {
  transcript: Transcript
  /** Prompts being sent, shown at the end. */
  sending: readonly Entry[]
  searchText: string
  /** The number of the entry with the current match. */
  current: number | undefined
  /** An open run starts scrolled to its end. */
  isLive: boolean
  handle: RefObject<TranscriptHandle | null>
}

const OVERSCAN = 10

/** The virtualized transcript. */
export function TranscriptView({ transcript, sending, isLive, handle, ...rest }: Props) {
  const { count } = transcript
  const total = count + sending.length
  const scroller = useRef<HTMLElement>(null)
  const entryAt = (index: number) => transcript.at(index + 1) ?? sending[index - count]
  const virtual = withoutScrollAdjustment(
    useVirtualizer({
      count: total,
      getScrollElement: () => scroller.current,
      estimateSize: useHeights(transcript),
      overscan: OVERSCAN,
    }),
  )
  const visible = virtual.getVirtualItems()
  const follow = useFollowEnd(scroller, { total, size: virtual.getTotalSize(), isLive })
  const [first, last] = [(visible[0]?.index ?? 0) + 1, (visible.at(-1)?.index ?? 0) + 1]
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when visible entries have arrived
  useEffect(() => transcript.setVisible(first, last), [transcript, first, last, count])
  useImperativeHandle(handle, () => ({
    show(number) {
      follow.leave()
      virtual.scrollToIndex(number - 1, { align: 'center' })
    },
    start() {
      follow.leave()
      virtual.scrollToIndex(0)
    },
    end: follow.follow,
  }))
  return (
    <div className="transcript">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too
        tabIndex={0}
        aria-label={t('agents.transcript')}
        onScroll={follow.onScroll}
      >
        <Rows {...rest} {...{ virtual, entryAt, total }} />
      </section>
      <LoadError
        of={{
          data: transcript.error ? undefined : transcript,
          error: transcript.error,
          refetch: () => transcript.retry(),
        }}
        what={t('agents.the_transcript')}
      />
      <p className="unseen" role="status">
        {follow.newCount ? t('agents.count_new', { count: follow.newCount }) : ''}
      </p>
      {follow.newCount > 0 && (
        <button type="button" className="button main new-items" onClick={follow.follow}>
          {t('agents.count_new', { count: follow.newCount })}
        </button>
      )}
    </div>
  )
}

/** The virtualizer asks for all heights repeatedly, so each is estimated only once. */
function useHeights(transcript: Transcript) {
  return useMemo(() => {
    const heights: number[] = []
    return (index: number) => {
      const height = heights[index]
      if (height !== undefined) return height
      const entry = transcript.at(index + 1)
      if (!entry) return DEFAULT_HEIGHT
      heights[index] = estimateHeight(entry)
      return heights[index]
    }
  }, [transcript])
}

interface RowsProps extends Pick<Props, 'searchText' | 'current'> {
  virtual: ReturnType<typeof useVirtualizer<HTMLElement, Element>>
  entryAt(index: number): Entry | undefined
  total: number
}

function Rows({ virtual, entryAt, total, searchText, current }: RowsProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const { data: me } = useOperation('user_context.get', {})
  const boards = me?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  const openEntry = useMemo(
    () => (number: number) => setOpen((before) => new Set(before).add(number)),
    [],
  )
  return (
    <ol style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const entry = entryAt(index)
        return (
          <li
            key={index}
            data-index={index}
            ref={virtual.measureElement}
            className={index + 1 === current ? 'current' : ''}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {entry ? (
              <EntryView
                {...{ entry, searchText, keys }}
                isOpen={open.has(index + 1)}
                onOpen={openEntry}
              />
            ) : (
              <div className="entry shape" aria-hidden="true">
                <i />
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
