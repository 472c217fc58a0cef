import { RoleIcon } from '../../../entities/board/role-icon.tsx'
import { Priority } from '../../../entities/task/priority.tsx'
import type { ActorKey } from '../../../entities/user/actor.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { agoText, dueText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { cellText, hoursOf } from './cell-text.ts'
import { type Field, isEmpty, type Row, type TableContext, type Value } from './types.ts'

interface Props {
  field: Field
  row: Row
  context: TableContext
}

/** The value of a cell as it is drawn. A cell without a value is empty. */
export function CellContent(props: Props) {
  const value = props.field.read(props.row)
  if (isEmpty(value) || value === false) return null
  switch (props.field.kind) {
    case 'people':
    case 'agents':
      return <People {...props} keys={value as readonly ActorKey[]} />
    case 'labels':
      return <Labels {...props} ids={value as readonly number[]} />
    case 'date':
    case 'moment':
      return <Moment {...props} text={String(value)} />
    case 'checkbox':
      return <Icon name="done" label={t('table.checked')} />
    case 'url':
      return (
        <a href={String(value)} target="_blank" rel="noreferrer" tabIndex={-1}>
          {String(value).replace(/^https?:\/\/(www\.)?/i, '')}
        </a>
      )
    default:
      return <Plain {...props} value={value} />
  }
}

function Plain({ field, row, context, value }: Props & { value: Value }) {
  const text = cellText(field, value, context)
  if (field.name === 'priority')
    return (
      <>
        <Priority value={Number(value)} />
        <span>{text}</span>
      </>
    )
  switch (field.kind) {
    case 'progress':
      return <span>{row.card.subtasks?.join('/')}</span>
    case 'duration':
      return <span>{t('table.hours_short', { hours: hoursOf(Number(value)) })}</span>
    case 'parent': {
      const parent = context.cardsById.get(Number(value))
      return (
        <span title={parent?.title}>
          {parent ? `${parent.ticket_number} ${parent.title}` : t('board.task_not_shown_here')}
        </span>
      )
    }
    case 'section':
      return <Section {...{ context, text, value }} />
    case 'choice':
    case 'select':
      return <span className="tag">{text}</span>
    default:
      return <span dir="auto">{text}</span>
  }
}

function Section({ context, text, value }: { context: TableContext; text: string; value: Value }) {
  const section = context.sections.find(({ section_id }) => section_id === value)
  return (
    <>
      {section && <RoleIcon column={section} />}
      <span dir="auto">{text}</span>
    </>
  )
}

/** One person by name; several as pictures. */
function People({ row, context, keys }: Props & { keys: readonly ActorKey[] }) {
  const actors = keys.flatMap((key) => context.actors.get(key) ?? [])
  const [first] = actors
  const isBusy = (key: ActorKey | undefined) => key !== undefined && key === row.card.lease?.holder
  return (
    <>
      <span className="avatars">
        {actors.slice(0, 4).map((actor) => (
          <Avatar
            key={actor.agent_id ?? actor.user_id}
            actor={actor}
            busy={isBusy(actor.agent_id ?? actor.user_id)}
          />
        ))}
      </span>
      {first && actors.length === 1 && <span aria-hidden="true">{first.name}</span>}
      {actors.length > 4 && <span>+{actors.length - 4}</span>}
    </>
  )
}

const Labels = ({ context, ids }: Props & { ids: readonly number[] }) =>
  ids
    .flatMap((id) => context.labels.get(id) ?? [])
    .map(({ label_id, name, color }) => (
      <span key={label_id} className="label">
        <span className="dot" style={{ background: color }} />
        {name}
      </span>
    ))

function Moment({ field, row, text }: Props & { text: string }) {
  const { short, full } = field.kind === 'date' ? dueText(text) : agoText(text)
  const isLate = field.name === 'due' && row.card.overdue
  return (
    <span className={isLate ? 'late' : ''} title={full}>
      {short}
      {isLate && <span className="unseen"> {t('common.overdue')}</span>}
    </span>
  )
}
