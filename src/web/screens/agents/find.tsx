import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { noteOrigin, returnToOrigin } from '../../kit/field-origin.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { IN_RUN } from './shortcuts.ts'

const PAGE = 50

/** Searches the whole transcript on the server, whatever part of it is loaded. */
export function useFind(run_id: number, show: (number: number) => void) {
  const [text, setText] = useState('')
  /** The index of the current match, from 0; undefined before the first step. */
  const [matchIndex, setMatchIndex] = useState<number>()
  const search = text.trim()
  const page = Math.floor((matchIndex ?? 0) / PAGE)
  const input = { run_id, search, limit: PAGE, offset: page * PAGE }
  const result = useOperation('runs.transcript', input, { enabled: search !== '' })
  const { data, isFetching } = result
  const total = (search && data?.page.total) || 0
  const numberAt = (match: number) => data?.items[match % PAGE]?.number
  const current = matchIndex === undefined || !search ? undefined : numberAt(matchIndex)
  const showCurrent = useEffectEvent(show)
  useEffect(() => {
    if (current !== undefined) showCurrent(current)
  }, [current])
  const step = (by: 1 | -1) => {
    if (!search || (data && !total)) return false
    // The step was requested before the results arrived.
    if (!data) setMatchIndex(0)
    else
      setMatchIndex(
        matchIndex === undefined ? (by === 1 ? 0 : total - 1) : (matchIndex + by + total) % total,
      )
    return true
  }
  const setSearch = (value: string) => {
    setText(value)
    setMatchIndex(undefined)
  }
  return { text, search, total, matchIndex, current, isFetching, result, step, setSearch }
}

interface Props {
  find: ReturnType<typeof useFind>
  field: RefObject<HTMLInputElement | null>
}

/** The search field of a transcript, with the steps between matches. */
export function Find({ find, field }: Props) {
  const { text, search, total, matchIndex, isFetching, result, step, setSearch } = find
  const status = !search
    ? ''
    : isFetching || result.error
      ? ''
      : total
        ? t('agents.match_of_total', { match: (matchIndex ?? -1) + 1 || '–', total })
        : t('agents.no_matches')
  return (
    <search className="find-in">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={t('agents.find_in_the_transcript')}
        placeholder={t('agents.find_hint', { hint: hintOf(IN_RUN.find) })}
        value={text}
        onFocus={noteOrigin}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') {
            setSearch('')
            returnToOrigin(field.current)
          }
        }}
      />
      <span className="soft tabular" role="status">
        {status}
      </span>
      {search && <LoadError of={result} what={t('agents.matches')} />}
      {total > 0 && (
        <>
          <button type="button" className="button quiet only up" onClick={() => step(-1)}>
            <Icon name="chevron" label={t('agents.previous_match')} />
          </button>
          <button type="button" className="button quiet only down" onClick={() => step(1)}>
            <Icon name="chevron" label={t('agents.next_match')} />
          </button>
        </>
      )}
    </search>
  )
}
