import { memo } from 'react'
import { Avatar } from '../../entities/user/avatar.tsx'
import { agoText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { ReplyForm, replyVerb } from './reply.tsx'
import { Decision, Escalation } from './requests.tsx'
import './row.css'
import { snippetOf, textOfNote } from './texts.ts'
import type { Triage } from './triage.ts'
import { canReply, type Note } from './types.ts'

interface Props {
  note: Note
  me: number | undefined
  active: boolean
  selected: boolean
  isReplying: boolean
  isArchive: boolean
  triage: Triage
}

/** A notification; its message is the focusable element. */
export const RowView = memo(function RowView(props: Props) {
  const { note, active, selected, isReplying, triage } = props
  const { task, read_at } = note
  const stateClasses = `${read_at ? '' : ' unread'}${active ? ' active' : ''}${selected ? ' chosen' : ''}`
  return (
    <article
      className={`note row-focus${stateClasses}`}
      // The task panel returns the focus to the row of its task, of which there may be several.
      data-task={active ? task.task_id : undefined}
      onFocus={() => triage.setActive(note.notification_id)}
    >
      <RowMark {...props} />
      <div className="body">
        <RowHeadline {...props} />
        <p className="about">
          <span className="key">{task.ticket_number}</span>
          <span className="name truncate" dir="auto">
            {task.title}
          </span>
          {task.done && <span className="tag">{task.section}</span>}
        </p>
        <Snippet note={note} />
        <Decision note={note} />
        <Escalation note={note} me={props.me} />
        {isReplying && <ReplyForm note={note} triage={triage} />}
      </div>
      <RowActions {...props} />
    </article>
  )
})

/** The actor's avatar, or a checkbox while notifications are selected. */
function RowMark({ note, selected, triage }: Props) {
  const { actor, notification_id, task } = note
  return (
    <div className="mark">
      <span className="sender" aria-hidden="true">
        {actor.kind === 'system' ? <Icon name="calendar" /> : <Avatar actor={actor} />}
      </span>
      <input
        type="checkbox"
        className="box wide-target"
        aria-label={t('inbox.select_the_notification_of_ticket_number', {
          ticket_number: task.ticket_number,
        })}
        checked={selected}
        onChange={() => triage.toggleSelected(notification_id)}
      />
    </div>
  )
}

function RowHeadline({ note, triage }: Props) {
  const { actor, created_at, read_at, task } = note
  const { actorName, action } = textOfNote(note)
  const { short, full } = agoText(created_at)
  return (
    <p className="first">
      {!read_at && <span className="dot" />}
      <button type="button" className="row-title cover" onClick={() => triage.open(note)}>
        {!read_at && <span className="unseen">{t('inbox.unread')} </span>}
        {actorName && <b>{actorName}</b>}{' '}
        {actor.kind === 'agent' && <span className="tag">{t('common.agent')}</span>}{' '}
        <span>{action}</span>
        <span className="unseen">
          {' '}
          {task.ticket_number} {task.title}
        </span>
      </button>
      <time className="minor" dateTime={created_at} title={full}>
        {short}
      </time>
    </p>
  )
}

/** A decision request shows its full text itself. */
function Snippet({ note }: { note: Note }) {
  const text = snippetOf(note)
  if (!text || note.kind === 'decision_requested') return null
  return (
    <p className="snippet" dir="auto">
      {text}
    </p>
  )
}

function RowActions({ note, isArchive, triage }: Props) {
  const { read_at, task } = note
  const suffix = `: ${task.ticket_number}`
  const readLabel = read_at ? t('inbox.mark_as_unread') : t('inbox.mark_as_read')
  const archiveLabel = isArchive ? t('inbox.move_back_to_the_inbox') : t('common.archive')
  return (
    <div className="actions">
      {canReply(note) && (
        <button
          type="button"
          className="button quiet only"
          title={`${replyVerb(note)} (R)`}
          onClick={() => triage.setReplyingTo(note.notification_id)}
        >
          <Icon name="reply" label={replyVerb(note) + suffix} />
        </button>
      )}
      <button
        type="button"
        className="button quiet only"
        title={`${readLabel} (U)`}
        onClick={() => triage.toggleRead([note])}
      >
        <Icon name={read_at ? 'bell' : 'read'} label={readLabel + suffix} />
      </button>
      <button
        type="button"
        className="button quiet only snooze"
        title={t('inbox.snooze_the_task_s')}
        onClick={() => triage.setSnoozing([note])}
      >
        <Icon name="moon" label={t('inbox.snooze') + suffix} />
      </button>
      <button
        type="button"
        className="button quiet only"
        title={`${archiveLabel} (E)`}
        onClick={() => triage.archiveOrRestore([note])}
      >
        <Icon name={isArchive ? 'inbox' : 'archive'} label={archiveLabel + suffix} />
      </button>
    </div>
  )
}
