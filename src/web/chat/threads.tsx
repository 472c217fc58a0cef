import { useState } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { useGone } from '../task/later.ts'
import { nameOfThread, remove } from './deeds.ts'
import { type Now, openThread } from './now.ts'
import { type About, sentOf, useHere } from './place.ts'
import './threads.css'

interface Props {
  me: Me
  current: Now
  /** One is shown. */
  onPick(): void
}

type Row = Output<'chat.threads'>['items'][number]

/** One's own conversations: about what is on the screen, or all. */
export function Threads({ me, current, onPick }: Props) {
  const here = useHere(me)
  const [isAll, setAll] = useState(!here.name)
  const about = isAll ? {} : here
  return (
    <div className="threads">
      {here.name && (
        <fieldset className="which">
          <legend className="unseen">Which chats</legend>
          <Which name={`About ${here.name}`} isOn={!isAll} onPick={() => setAll(false)} />
          <Which name="All" isOn={isAll} onPick={() => setAll(true)} />
        </fieldset>
      )}
      <List key={`${about.task} ${about.project_id}`} {...{ about, current, onPick }} />
    </div>
  )
}

const Which = ({ name, isOn, onPick }: { name: string; isOn: boolean; onPick(): void }) => (
  <button type="button" className="button quiet" aria-pressed={isOn} onClick={onPick}>
    {name}
  </button>
)

const STEP = 50

function List({ about, current, onPick }: { about: About; current: Now; onPick(): void }) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const gone = useGone()
  return (
    <ul>
      {cursors.map((cursor, at) => (
        <Some
          key={cursor ?? 'first'}
          {...{ about, cursor, current, gone, onPick }}
          onMore={at === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined}
        />
      ))}
    </ul>
  )
}

interface SomeProps {
  about: About
  cursor: string | undefined
  current: Now
  gone: ReadonlySet<string>
  onPick(): void
  onMore: ((cursor: string) => void) | undefined
}

function Some({ about, cursor, current, gone, onPick, onMore }: SomeProps) {
  const asked = { ...sentOf(about), limit: STEP, ...(cursor && { cursor }) }
  const list = useAsk('chat.threads', asked)
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what="chats" />
      </li>
    )
  const rows = data.items.filter(({ thread_id }) => !gone.has(nameOfThread(thread_id)))
  const next = data.page.next_cursor
  const open = ({ thread_id, task, project }: Row) => {
    openThread(thread_id, {
      ...(task && { task: task.ticket_number, name: task.ticket_number }),
      ...(project && { project_id: project.project_id }),
      ...(project && !task && { name: project.title }),
    })
    onPick()
  }
  return (
    <>
      {rows.map((row) => (
        <Line
          key={row.thread_id}
          {...{ row, current }}
          isAll={!about.name}
          onOpen={() => open(row)}
        />
      ))}
      {!cursor && rows.length === 0 && (
        <li className="nothing">No chats here yet. What you ask is kept, for you alone.</li>
      )}
      {next && onMore && (
        <li>
          <button type="button" className="button quiet" onClick={() => onMore(next)}>
            Show more
          </button>
        </li>
      )}
    </>
  )
}

const STATES = { answering: 'Answering', waiting: 'Waits for you', idle: '' } as const

interface LineProps {
  row: Row
  current: Now
  /** They stand among those of other boards. */
  isAll: boolean
  onOpen(): void
}

function Line({ row, current, isAll, onOpen }: LineProps) {
  const { thread_id, title, task, project, state, updated_at } = row
  const ago = agoWords(updated_at)
  const about = task?.ticket_number ?? (isAll ? project?.title : undefined)
  return (
    <li className="one">
      <button
        type="button"
        className="what"
        aria-current={current.talk.thread.get() === thread_id}
        onClick={onOpen}
      >
        <span className="name" dir="auto">
          {title}
        </span>
        <span className="soft" title={ago.full}>
          {[STATES[state], about, ago.short].filter(Boolean).join(' · ')}
        </span>
      </button>
      <button type="button" className="button quiet only" onClick={() => remove(thread_id, title)}>
        <Icon name="trash" label={`Delete the chat “${title}”`} />
      </button>
    </li>
  )
}
