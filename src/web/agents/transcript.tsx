import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { anchored } from '../parts/anchored.ts'
import { LoadError } from '../parts/load-error.tsx'
import { EntryView, heightOf, USUAL_HEIGHT } from './entry.tsx'
import { useStick } from './stick.ts'
import type { Entry, Transcript } from './transcript-store.ts'

export interface Reading {
  /** To the entry of that number, from 1. */
  show(number: number): void
  start(): void
  end(): void
}

interface Props {
  transcript: Transcript
  /** Said and not yet answered for, below all else. */
  sending: readonly Entry[]
  sought: string
  /** The number of the entry that was looked for. */
  current: number | undefined
  /** What is still told begins at its end. */
  isLive: boolean
  reading: RefObject<Reading | null>
}

const OVERSCAN = 10

/** What was said and done; only what can be seen is in the document. */
export function TranscriptView({ transcript, sending, isLive, reading, ...rest }: Props) {
  const { count } = transcript
  const total = count + sending.length
  const scroller = useRef<HTMLElement>(null)
  const entryAt = (index: number) => transcript.at(index + 1) ?? sending[index - count]
  const virtual = anchored(
    useVirtualizer({
      count: total,
      getScrollElement: () => scroller.current,
      estimateSize: useHeights(transcript),
      overscan: OVERSCAN,
    }),
  )
  const seen = virtual.getVirtualItems()
  const stick = useStick(scroller, { total, size: virtual.getTotalSize(), isLive })
  const [first, last] = [(seen[0]?.index ?? 0) + 1, (seen.at(-1)?.index ?? 0) + 1]
  // biome-ignore lint/correctness/useExhaustiveDependencies: more may have come where one looks
  useEffect(() => transcript.want(first, last), [transcript, first, last, count])
  useImperativeHandle(reading, () => ({
    show(number) {
      stick.leave()
      virtual.scrollToIndex(number - 1, { align: 'center' })
    },
    start() {
      stick.leave()
      virtual.scrollToIndex(0)
    },
    end: stick.follow,
  }))
  return (
    <div className="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too */}
      <section ref={scroller} tabIndex={0} aria-label="Transcript" onScroll={stick.scrolled}>
        <Rows {...rest} {...{ virtual, entryAt, total }} />
      </section>
      <LoadError
        of={{
          data: transcript.error ? undefined : transcript,
          error: transcript.error,
          refetch: () => transcript.retry(),
        }}
        what="the transcript"
      />
      <p className="unseen" role="status">
        {stick.news ? `${stick.news} new` : ''}
      </p>
      {stick.news > 0 && (
        <button type="button" className="button main news" onClick={stick.follow}>
          {stick.news} new
        </button>
      )}
    </div>
  )
}

/** Asked for all of them again and again, so each is only estimated once. */
function useHeights(transcript: Transcript) {
  return useMemo(() => {
    const known: number[] = []
    return (index: number) => {
      const height = known[index]
      if (height !== undefined) return height
      const entry = transcript.at(index + 1)
      if (!entry) return USUAL_HEIGHT
      known[index] = heightOf(entry)
      return known[index]
    }
  }, [transcript])
}

interface RowsProps extends Pick<Props, 'sought' | 'current'> {
  virtual: ReturnType<typeof useVirtualizer<HTMLElement, Element>>
  entryAt(index: number): Entry | undefined
  total: number
}

function Rows({ virtual, entryAt, total, sought, current }: RowsProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const { data: me } = useAsk('user_context.get', {})
  const boards = me?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  const unfold = useMemo(
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
                {...{ entry, sought, keys }}
                isOpen={open.has(index + 1)}
                onOpen={unfold}
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
