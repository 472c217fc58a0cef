import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import type { Me } from '../../entities/user/me.ts'
import { agoText } from '../../kit/dates.ts'
import { usePendingDeletes } from '../../kit/delayed-delete.ts'
import { Icon } from '../../kit/icon.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { deleteThread, pendingDeleteName } from './actions.ts'
import { type CurrentChat, openThread } from './current-chat.ts'
import { type ChatSubject, subjectInput, useScreenSubject } from './subject.ts'
import './threads.css'

interface Props {
  me: Me
  current: CurrentChat
  /** Called when a thread is picked. */
  onPick(): void
}

type Row = Output<'chat.threads'>['items'][number]

/** The user's chats: about the subject on screen, or all. */
export function Threads({ me, current, onPick }: Props) {
  const here = useScreenSubject(me)
  const [isAll, setAll] = useState(!here.name)
  const about = isAll ? {} : here
  return (
    <div className="threads">
      {here.name && (
        <fieldset className="scope">
          <legend className="unseen">{t('chat.filter_chats')}</legend>
          <ScopeButton
            name={t('chat.about_name', { name: here.name })}
            isOn={!isAll}
            onPick={() => setAll(false)}
          />
          <ScopeButton name={t('common.all')} isOn={isAll} onPick={() => setAll(true)} />
        </fieldset>
      )}
      <List key={`${about.task} ${about.project_id}`} {...{ about, current, onPick }} />
    </div>
  )
}

const ScopeButton = ({ name, isOn, onPick }: { name: string; isOn: boolean; onPick(): void }) => (
  <button type="button" className="button quiet" aria-pressed={isOn} onClick={onPick}>
    {name}
  </button>
)

const PAGE_SIZE = 50

function List({
  about,
  current,
  onPick,
}: {
  about: ChatSubject
  current: CurrentChat
  onPick(): void
}) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const deleted = usePendingDeletes()
  return (
    <ul>
      {cursors.map((cursor, index) => (
        <ThreadPage
          key={cursor ?? 'first'}
          {...{ about, cursor, current, deleted, onPick }}
          onMore={
            index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined
          }
        />
      ))}
    </ul>
  )
}

interface ThreadPageProps {
  about: ChatSubject
  cursor: string | undefined
  current: CurrentChat
  deleted: ReadonlySet<string>
  onPick(): void
  onMore: ((cursor: string) => void) | undefined
}

function ThreadPage({ about, cursor, current, deleted, onPick, onMore }: ThreadPageProps) {
  const query = { ...subjectInput(about), limit: PAGE_SIZE, ...(cursor && { cursor }) }
  const list = useOperation('chat.threads', query)
  const { data } = list
  if (!data)
    return (
      <li>
        <LoadError of={list} what={t('chat.chats_inline')} />
      </li>
    )
  const rows = data.items.filter(({ thread_id }) => !deleted.has(pendingDeleteName(thread_id)))
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
        <li className="nothing">{t('chat.no_chats_yet_your_chats_are_saved')}</li>
      )}
      {next && onMore && (
        <li>
          <button type="button" className="button quiet" onClick={() => onMore(next)}>
            {t('common.show_more')}
          </button>
        </li>
      )}
    </>
  )
}

const STATES = {
  answering: t('chat.answering'),
  waiting: t('chat.needs_approval'),
  idle: '',
} as const

interface LineProps {
  row: Row
  current: CurrentChat
  /** Chats of all boards are listed, so each shows its board. */
  isAll: boolean
  onOpen(): void
}

function Line({ row, current, isAll, onOpen }: LineProps) {
  const { thread_id, title, task, project, state, updated_at } = row
  const ago = agoText(updated_at)
  const about = task?.ticket_number ?? (isAll ? project?.title : undefined)
  return (
    <li className="one flex-row">
      <button
        type="button"
        className="row-title"
        aria-current={current.conversation.thread.get() === thread_id}
        onClick={onOpen}
      >
        <span className="name" dir="auto">
          {title}
        </span>
        <span className="soft" title={ago.full}>
          {[STATES[state], about, ago.short].filter(Boolean).join(' · ')}
        </span>
      </button>
      <button
        type="button"
        className="button quiet only"
        onClick={() => deleteThread(thread_id, title)}
      >
        <Icon name="trash" label={t('chat.delete_the_chat_title', { title })} />
      </button>
    </li>
  )
}
