import { useContext } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import { TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import { Icon, type IconName } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { EditableField } from '../keys.ts'
import { CardActionsContext } from './card-actions.ts'
import { Chip } from './card-fields.tsx'
import './card-tools.css'

interface Props {
  card: Card
  /** The card is in a done column. */
  done: boolean
}

/** The fields that are not set, and the usual actions, on the card below the pointer. */
export default function CardTools({ card, done }: Props) {
  const actions = useContext(CardActionsContext)
  if (!actions || card.task_id < 0) return null
  const { me, toggleDone, assignMe, openMenu } = actions
  const { ticket_number: key } = card
  return (
    <span className="card-tools">
      {unsetFields(card).map(([what, name, icon]) => (
        <Chip key={what} {...{ card, what, label: name, title: name }} className="tool unset">
          <Icon name={icon} />
        </Chip>
      ))}
      {me !== undefined && !card.assignees?.includes(me) && (
        <Tool name={t('board.assign_to_me')} icon="mine" run={() => assignMe(card)} />
      )}
      <Tool
        name={done ? t('board.reopen') : t('board.mark_as_done')}
        icon={done ? 'back' : 'done'}
        run={() => toggleDone(card)}
      />
      <Tool
        name={t('board.more_about_title', { title: key })}
        icon="dots"
        run={(button) => openMenu(card, button)}
      />
    </span>
  )
}

interface ToolProps {
  name: string
  icon: IconName
  run(button: Element): void
}

const Tool = ({ name, icon, run }: ToolProps) => (
  <button
    type="button"
    tabIndex={-1}
    className="tool field-chip"
    data-chip=""
    aria-label={name}
    title={name}
    onClick={({ currentTarget }) => run(currentTarget)}
  >
    <Icon name={icon} />
  </button>
)

/** The fields that a chip would show, if they were set. */
function unsetFields(card: Card): [EditableField, string, IconName][] {
  const isUnset = (noun: string) =>
    TASK_FIELDS.some((field) => field.noun === noun && !card[field.name])
  const all: [boolean, EditableField, string, IconName][] = [
    [!card.assignees?.length, 'assign', t('board.assign'), 'plus'],
    [isUnset('priority'), 'priority', t('board.set_priority'), 'bars'],
    [!card.due_date, 'due', t('board.set_due_date'), 'calendar'],
    [!card.labels?.length, 'label', t('board.add_a_label'), 'tag'],
    [isUnset('size'), 'size', t('board.set_size'), 'expand'],
  ]
  return all.flatMap(([isShown, ...field]) => (isShown ? [field] : []))
}
