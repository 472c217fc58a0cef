import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { hintOf } from '../frame/keys.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { IN_RUN } from './table.ts'

const PAGE = 50

/** Where words stand in a transcript, all of it, whatever of it is loaded. */
export function useFind(run_id: number, show: (number: number) => void) {
  const [text, setText] = useState('')
  /** The place that is shown, from 0; none yet. */
  const [at, setAt] = useState<number>()
  const search = text.trim()
  const page = Math.floor((at ?? 0) / PAGE)
  const input = { run_id, search, limit: PAGE, offset: page * PAGE }
  const found = useAsk('runs.transcript', input, { enabled: search !== '' })
  const { data, isFetching } = found
  const total = (search && data?.page.total) || 0
  const numberAt = (place: number) => data?.items[place % PAGE]?.number
  const current = at === undefined || !search ? undefined : numberAt(at)
  const shown = useEffectEvent(show)
  useEffect(() => {
    if (current !== undefined) shown(current)
  }, [current])
  const step = (by: 1 | -1) => {
    if (!search || (data && !total)) return false
    // Asked for before it is known where they are.
    if (!data) setAt(0)
    else setAt(at === undefined ? (by === 1 ? 0 : total - 1) : (at + by + total) % total)
    return true
  }
  const look = (words: string) => {
    setText(words)
    setAt(undefined)
  }
  return { text, search, total, at, current, isFetching, found, step, look }
}

interface Props {
  find: ReturnType<typeof useFind>
  field: RefObject<HTMLInputElement | null>
}

/** A field to look for words, and the ways from one place to the next. */
export function Find({ find, field }: Props) {
  const { text, search, total, at, isFetching, found, step, look } = find
  const words = !search
    ? ''
    : isFetching || found.error
      ? ''
      : total
        ? `${(at ?? -1) + 1 || '–'} of ${total}`
        : 'Not found'
  return (
    <search className="find-in">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label="Find in the transcript"
        placeholder={`Find (${hintOf(IN_RUN.find)})`}
        value={text}
        onChange={({ target }) => look(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') {
            look('')
            field.current?.blur()
          }
        }}
      />
      <span className="soft tabular" role="status">
        {words}
      </span>
      {search && <LoadError of={found} what="matches" />}
      {total > 0 && (
        <>
          <button type="button" className="button quiet only up" onClick={() => step(-1)}>
            <Icon name="chevron" label="Place before" />
          </button>
          <button type="button" className="button quiet only down" onClick={() => step(1)}>
            <Icon name="chevron" label="Next place" />
          </button>
        </>
      )}
    </search>
  )
}
