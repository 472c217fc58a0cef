import { memo } from 'react'
import { Avatar } from '../parts/avatar.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { Decision, Escalation } from './asked.tsx'
import { Back, verbOf } from './back.tsx'
import './row.css'
import { mayAnswer, type Note } from './shapes.ts'
import type { Triage } from './triage.ts'
import { snippetOf, wordsOfNote } from './words.ts'

interface Props {
  note: Note
  me: number | undefined
  active: boolean
  chosen: boolean
  answering: boolean
  isArchive: boolean
  triage: Triage
}

/** One notification; the words of what happened are what it is reached by. */
export const RowView = memo(function RowView(props: Props) {
  const { note, active, chosen, answering, triage } = props
  const { task, read_at } = note
  const looks = `${read_at ? '' : ' unread'}${active ? ' active' : ''}${chosen ? ' chosen' : ''}`
  return (
    <article
      className={`note${looks}`}
      // The peek hands the focus back to the row of its task, of which there may be several.
      data-task={active ? task.task_id : undefined}
      onFocus={() => triage.setActive(note.notification_id)}
    >
      <Mark {...props} />
      <div className="body">
        <First {...props} />
        <p className="about">
          <span className="key">{task.ticket_number}</span>
          <span className="name" dir="auto">
            {task.title}
          </span>
          {task.done && <span className="tag">{task.section}</span>}
        </p>
        <Snippet note={note} />
        <Decision note={note} />
        <Escalation note={note} me={props.me} />
        {answering && <Back note={note} triage={triage} />}
      </div>
      <Deeds {...props} />
    </article>
  )
})

/** Whose doing it is; in its place a box while some are chosen. */
function Mark({ note, chosen, triage }: Props) {
  const { actor, notification_id, task } = note
  return (
    <div className="mark">
      <span className="whose" aria-hidden="true">
        {actor.kind === 'system' ? <Icon name="calendar" /> : <Avatar actor={actor} />}
      </span>
      <input
        type="checkbox"
        className="box"
        aria-label={`Choose the notification of ${task.ticket_number}`}
        checked={chosen}
        onChange={() => triage.turn(notification_id)}
      />
    </div>
  )
}

function First({ note, me, triage }: Props) {
  const { actor, created_at, read_at, task } = note
  const { who, what } = wordsOfNote(note, me)
  const { short, full } = agoWords(created_at)
  return (
    <p className="first">
      {!read_at && <span className="dot" />}
      <button type="button" className="what" onClick={() => triage.open(note)}>
        {!read_at && <span className="unseen">Unread: </span>}
        {who && <b>{who}</b>} {actor.kind === 'agent' && <span className="tag">agent</span>}{' '}
        <span>{what}</span>
        <span className="unseen">
          {' '}
          {task.ticket_number} {task.title}
        </span>
      </button>
      <time dateTime={created_at} title={full}>
        {short}
      </time>
    </p>
  )
}

/** What is asked for is shown whole elsewhere. */
function Snippet({ note }: { note: Note }) {
  const text = snippetOf(note)
  if (!text || note.kind === 'decision_requested') return null
  return (
    <p className="snippet" dir="auto">
      {text}
    </p>
  )
}

function Deeds({ note, isArchive, triage }: Props) {
  const { read_at, task } = note
  const of = `: ${task.ticket_number}`
  const turn = read_at ? 'Mark as unread' : 'Mark as read'
  const archive = isArchive ? 'Move back to the inbox' : 'Archive'
  return (
    <div className="deeds">
      {mayAnswer(note) && (
        <button
          type="button"
          className="button quiet only"
          title={`${verbOf(note)} (R)`}
          onClick={() => triage.setAnswering(note.notification_id)}
        >
          <Icon name="reply" label={verbOf(note) + of} />
        </button>
      )}
      <button
        type="button"
        className="button quiet only"
        title={`${turn} (U)`}
        onClick={() => triage.turnRead([note])}
      >
        <Icon name={read_at ? 'bell' : 'read'} label={turn + of} />
      </button>
      <button
        type="button"
        className="button quiet only snooze"
        title="Snooze the task (S)"
        onClick={() => triage.setSnoozing([note])}
      >
        <Icon name="moon" label={`Snooze${of}`} />
      </button>
      <button
        type="button"
        className="button quiet only"
        title={`${archive} (E)`}
        onClick={() => triage.putAway([note])}
      >
        <Icon name={isArchive ? 'inbox' : 'archive'} label={archive + of} />
      </button>
    </div>
  )
}
