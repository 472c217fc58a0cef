import { useState } from 'react'
import type { Preview } from '../../../import/api.ts'
import type { Me } from '../../entities/user/me.ts'
import { TextField } from '../../kit/field.tsx'
import { t } from '../../messages/t.ts'
import { Columns, Fields } from './board-parts.tsx'
import { changeBoard, toKey } from './mapping-edits.ts'
import type { BoardProps, MappingProps } from './mapping-props.ts'
import { Paged } from './paged.tsx'

interface Props extends MappingProps {
  /** The boards of the team. */
  boards: Me['boards']
  matches: Preview['boards']
}

/** Which boards there will be, with their columns and custom fields. */
export function Boards({ plan, mapping, onChange, boards, matches }: Props) {
  const mapped = new Map(mapping.boards.map((board) => [board.id, board]))
  const earlier = new Map(matches.map(({ id, project_id }) => [id, project_id]))
  return (
    <section className="import-section" aria-labelledby="import-boards">
      <h2 id="import-boards">{t('common.boards')}</h2>
      <Paged className="import-boards" items={plan.boards}>
        {(board) => (
          <BoardRow
            key={board.id}
            {...{ plan: board, board: mapped.get(board.id)!, boards }}
            earlier={earlier.get(board.id) ?? null}
            isOnly={plan.boards.length === 1}
            onChange={(change) => onChange(changeBoard(mapping, board.id, change))}
          />
        )}
      </Paged>
    </section>
  )
}

interface TargetProps extends BoardProps {
  boards: Me['boards']
  /** The board of an earlier import. */
  earlier: number | null
}

interface BoardRowProps extends TargetProps {
  isOnly: boolean
}

function BoardRow({ plan, board, boards, earlier, isOnly, onChange }: BoardRowProps) {
  const target = earlier ?? board.project_id
  const [isOpen, setOpen] = useState(isOnly)
  return (
    <li>
      <div className="target-row">
        <div className="from">
          <strong dir="auto">{plan.title}</strong>
          <span className="soft">{t('import.count_tasks', { count: plan.tasks })}</span>
        </div>
        <Target {...{ plan, board, boards, earlier, onChange }} />
      </div>
      {!board.skip && (
        <>
          {target === undefined && <NewBoard {...{ plan, board, onChange }} />}
          <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{t('import.columns_and_custom_fields')}</summary>
            {isOpen && (
              <>
                <Columns {...{ plan, board, target, onChange }} />
                <Fields {...{ plan, board, onChange }} />
              </>
            )}
          </details>
        </>
      )}
    </li>
  )
}

const NEW = 'new'
const SKIP = 'skip'

/**
 * Whether a board becomes a new one, comes to an existing one, or is left out. One that was imported
 * before stays where it is.
 */
function Target({ plan, board, boards, earlier, onChange }: TargetProps) {
  const titles = boards.map(({ project_id, title }) => [project_id, title] as const)
  const own = titles.filter(([project_id]) => project_id === earlier)
  const choices = earlier === null ? titles : own
  const pick = (value: string) =>
    onChange({ skip: value === SKIP, project_id: Number(value) || undefined })
  return (
    <select
      className="field"
      aria-label={t('import.what_becomes_of_the_board', { title: plan.title })}
      value={board.skip ? SKIP : (earlier ?? board.project_id ?? NEW)}
      onChange={({ target }) => pick(target.value)}
    >
      {earlier === null && <option value={NEW}>{t('import.new_board')}</option>}
      <option value={SKIP}>{t('import.leave_out')}</option>
      {earlier !== null && !own.length && (
        <option value={earlier}>{t('import.the_archived_board')}</option>
      )}
      {choices.length > 0 && (
        <optgroup label={t('import.existing_board')}>
          {choices.map(([project_id, title]) => (
            <option key={project_id} value={project_id}>
              {title}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  )
}

const NewBoard = ({ plan, board, onChange }: BoardProps) => (
  <div className="new-board">
    <TextField
      label={t('import.board_name')}
      required
      maxLength={200}
      value={board.title}
      placeholder={plan.title}
      onChange={(title) => onChange({ title })}
    />
    <TextField
      label={t('common.key')}
      className="key"
      pattern="[A-Z][A-Z0-9]{1,9}"
      title={t('import.two_to_ten_letters_and_digits')}
      value={board.key ?? ''}
      onChange={(key) => onChange({ key: toKey(key) })}
    />
  </div>
)
