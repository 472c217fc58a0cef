import { memo } from 'react'
import { Priority } from '../../entities/task/priority.tsx'
import { Avatar } from '../../entities/user/avatar.tsx'
import { agoText, dueText } from '../../kit/dates.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { Source, Task, Text } from './data.ts'
import { excerpt, HighlightedText, Snippet } from './highlight.tsx'

interface Props {
  query: string
  active: boolean
  onOpen(): void
}

interface TaskProps extends Props {
  task: Task
  /** The board's title, if the user has several boards. */
  board: string | undefined
}

/** A matching task with the words it was found by. */
export const TaskHit = memo(function TaskHit({ task, board, query, active, onOpen }: TaskProps) {
  const { task_id, ticket_number, title, done, due_date, overdue, snippet } = task
  const due = due_date && !done ? dueText(due_date) : undefined
  return (
    <article
      className={`hit row-focus${active ? ' active' : ''}${done ? ' done' : ''}`}
      data-task={task_id}
    >
      {task.priority ? <Priority value={task.priority} /> : <span className="none" />}
      <span className="key minor">{ticket_number}</span>
      <button
        type="button"
        className="row-title cover"
        dir="auto"
        data-preview={`/t/${ticket_number}`}
        onClick={onOpen}
      >
        <HighlightedText text={title} query={query} />
      </button>
      <span className="ends">
        {task.blocked && <Icon name="blocked" label={t('common.blocked_by_another_task')} />}
        {due && (
          <span className={`meta flex-row${overdue ? ' late' : ''}`} title={due.full}>
            <Icon name="calendar" label={overdue ? t('common.overdue') : t('common.due')} />
            {due.short}
          </span>
        )}
        <span className="where">
          {done && <Icon name="done" label={t('common.done')} />}
          {board ? `${board} · ` : ''}
          {task.section}
        </span>
      </span>
      {snippet && !titleContains(title, snippet) && (
        <p className="words" dir="auto">
          <Snippet text={snippet} />
        </p>
      )}
    </article>
  )
})

/** Whether the title already contains the snippet. */
const titleContains = (title: string, snippet: string) =>
  title.startsWith(snippet.replaceAll('**', ''))

const KINDS: Record<Source['kind'], { name: string; icon: IconName }> = {
  page: { name: t('search.page'), icon: 'page' },
  description: { name: t('common.description'), icon: 'list' },
  comment: { name: t('search.comment'), icon: 'comment' },
  file: { name: t('search.file'), icon: 'clip' },
}
const MAX_PASSAGES = 3

interface TextProps extends Props {
  text: Text
}

/** A matching source with its passages. */
export const TextHit = memo(function TextHit({ text, query, active, onOpen }: TextProps) {
  const { source } = text
  // A task without a description is indexed by its title alone, which is shown above.
  const passages = text.passages.filter((one) => one.text !== source.title)
  const { name, icon } = KINDS[source.kind]
  const updatedAt = agoText(source.updated_at)
  const hiddenCount = passages.length - MAX_PASSAGES
  return (
    <article
      className={`hit row-focus text${active ? ' active' : ''}`}
      data-text={`${source.kind} ${source.id}`}
    >
      <span className="kind" title={name}>
        <Icon name={icon} label={name} />
      </span>
      <button
        type="button"
        className="row-title cover"
        dir="auto"
        data-preview={source.kind === 'page' ? `/p/${source.id}` : `/t/${source.ticket_number}`}
        onClick={onOpen}
      >
        <HighlightedText text={source.title} query={query} />
      </button>
      <span className="ends">
        <span className="key minor">{source.ticket_number}</span>
        <Avatar actor={source.author} />
        <time dateTime={source.updated_at} title={updatedAt.full}>
          {updatedAt.short}
        </time>
      </span>
      {passages.slice(0, MAX_PASSAGES).map(({ text: passage, headings }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two passages may have the same text
        <div className="passage" key={index}>
          {headings.length > 0 && <p className="path">{headings.join(' › ')}</p>}
          <p className="words" dir="auto">
            <HighlightedText text={excerpt(passage, query)} query={query} />
          </p>
        </div>
      ))}
      {hiddenCount > 0 && (
        <p className="path">{t('search.more_passages', { count: hiddenCount })}</p>
      )}
    </article>
  )
})
