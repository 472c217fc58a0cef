import { type KeyboardEvent, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { agoWords } from '../parts/dates.ts'
import { LoadError } from '../parts/load-error.tsx'
import type { Version } from './data.ts'

interface Props {
  page_id: number
  /** By its number. */
  chosen: number
  onChoose(version: number): void
}

/** All versions, the newest first, some at a time. */
export function VersionList({ page_id, chosen, onChoose }: Props) {
  const [cursors, setCursors] = useState<readonly string[]>([''])
  return (
    <section className="list" aria-label="Versions">
      <h2>Versions</h2>
      <ol onKeyDown={walk}>
        {cursors.map((cursor, at) => (
          <Some
            key={cursor}
            {...{ page_id, cursor, chosen, onChoose }}
            onMore={
              at === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined
            }
          />
        ))}
      </ol>
    </section>
  )
}

/** Up and down from one to the next, which is chosen by that. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button.one')]
  const next = all[all.indexOf(document.activeElement as HTMLElement) + step]
  next?.focus()
  next?.click()
}

interface SomeProps extends Props {
  cursor: string
  onMore: ((cursor: string) => void) | undefined
}

function Some({ page_id, cursor, chosen, onChoose, onMore }: SomeProps) {
  const list = useAsk('pages.versions', { page_id, limit: 50, ...(cursor && { cursor }) })
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what="versions" />
      </li>
    )
  const next = data.page.next_cursor
  return (
    <>
      {data.items.map((one) => (
        <li key={one.version_id}>
          <One {...{ one, onChoose }} isChosen={one.version === chosen} />
        </li>
      ))}
      {next && onMore && (
        <li>
          <button type="button" className="button quiet" onClick={() => onMore(next)}>
            Show earlier versions
          </button>
        </li>
      )}
    </>
  )
}

interface OneProps {
  one: Version
  isChosen: boolean
  onChoose(version: number): void
}

function One({ one, isChosen, onChoose }: OneProps) {
  const { version, author, created_at, note, current, added, removed } = one
  const { short, full } = agoWords(created_at)
  return (
    <button
      type="button"
      className="one"
      aria-pressed={isChosen}
      title={full}
      onClick={() => onChoose(version)}
    >
      <b>
        Version {version}
        {current && <span className="now"> now</span>}
      </b>
      <span className="soft">
        {author.name}, {short}
      </span>
      <span className="size tabular soft">
        +{added} −{removed}
        <span className="unseen"> letters</span>
      </span>
      {note && (
        <span className="why" dir="auto">
          {note}
        </span>
      )}
    </button>
  )
}
