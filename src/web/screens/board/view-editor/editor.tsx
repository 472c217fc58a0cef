import { useRef, useState } from 'react'
import { useOperation, useOperationMutation } from '../../../data/cache.ts'
import type { Board, Card } from '../../../entities/board/data.ts'
import type { ConditionProps } from '../../../entities/task/condition/condition.tsx'
import { completeGroups, type Filter } from '../../../entities/task/condition/filter.ts'
import { Check, TextField } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { t } from '../../../messages/t.ts'
import { cardTest, serverRules } from '../filter/filter-match.ts'
import { useServerMatches } from '../filter/server-matches.ts'
import { useFields } from '../filter/use-fields.ts'
import type { Draft as Shown, View } from '../rules.ts'
import { type Draft, draftOf, type Setting, viewFieldsOf } from './draft.ts'
import './editor.css'
import { FilterGroups } from '../../../entities/task/condition/groups.tsx'
import { SortingPart } from './sorting.tsx'

interface Props {
  board: Board
  /** The view to edit; undefined creates one from what the board shows. */
  view: View | undefined
  shown: Shown
  /** What cannot be saved in a view. */
  note: string
  onClose(): void
  onSaved(view_id: string): void
}

/** The editor of a saved view. */
export default function ViewEditor({ board, view, shown, note, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState(() => draftOf(view, shown))
  const update = (change: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...change }))
  const { fields, customs, countOf } = useFields(board)
  const save = useSave(board.project_id, view, onSaved)
  const field = useRef<HTMLInputElement>(null)
  return (
    <FormDialog
      className="view-editor"
      title={view ? t('board.edit_view') : t('board.save_as_a_view')}
      submitLabel={t('common.save')}
      start={<MatchCount {...{ draft, board }} />}
      onSubmit={() => draft.title.trim() && save(viewFieldsOf(draft))}
      {...{ field, onClose }}
    >
      <TextField
        {...{ ref: field, label: t('common.name'), name: 'title', required: true, maxLength: 200 }}
        value={draft.title}
        onChange={(title) => update({ title })}
      />
      <Filters {...{ draft, fields, countOf }} onChange={update} />
      <SortingPart
        {...{ sorting: draft.sorting, customs }}
        onChange={(sorting) => update({ sorting })}
      />
      <Subtasks setting={draft.subtasks} onChange={(subtasks) => update({ subtasks })} />
      <Columns board={board} columns={draft.columns} onChange={(columns) => update({ columns })} />
      <fieldset>
        <legend>{t('board.visibility')}</legend>
        <Check checked={draft.isShared} onChange={(isShared) => update({ isShared })}>
          {t('board.visible_to_everyone_on_the_board')}
        </Check>
        <Check checked={draft.isDefault} onChange={(isDefault) => update({ isDefault })}>
          {t('board.use_as_my_default_view')}
        </Check>
      </fieldset>
      {note && <p className="soft">{note}</p>}
    </FormDialog>
  )
}

interface FiltersProps extends Pick<ConditionProps, 'fields' | 'countOf'> {
  draft: Draft
  onChange(changes: Partial<Draft>): void
}

const Filters = ({ draft: { groups, match }, onChange, ...rest }: FiltersProps) => (
  <fieldset>
    <legend>{t('common.filters')}</legend>
    {groups.length > 1 && (
      <label className="match flex-row soft">
        {t('board.tasks_that_match')}
        <select
          className="field"
          value={match}
          onChange={({ target }) => onChange({ match: target.value as Draft['match'] })}
        >
          <option value="ALL">{t('board.all_groups')}</option>
          <option value="ANY">{t('board.any_group')}</option>
        </select>
      </label>
    )}
    <FilterGroups {...{ groups, ...rest }} onChange={(next) => onChange({ groups: next })} />
  </fieldset>
)

function useSave(project_id: number, view: View | undefined, onSaved: (view_id: string) => void) {
  const handlers = { onDone: ({ view_id }: { view_id: string }) => onSaved(view_id) }
  const { mutateAsync: create } = useOperationMutation('views.create', handlers)
  const { mutateAsync: update } = useOperationMutation('views.update', handlers)
  return (fields: ReturnType<typeof viewFieldsOf>) =>
    view ? update({ view_id: view.view_id, ...fields }) : create({ project_id, ...fields })
}

const SETTINGS: Record<Setting, string> = {
  Flattened: t('board.as_separate_cards'),
  Parent: t('board.as_a_count_on_the_parent'),
  Card: t('board.as_a_list_on_the_parent'),
  Flattened_Card: t('board.as_cards_and_as_a_list_on'),
  None: t('board.not_at_all'),
}

const Subtasks = ({
  setting,
  onChange,
}: {
  setting: Setting
  onChange(setting: Setting): void
}) => (
  <fieldset>
    <legend>{t('board.show_subtasks')}</legend>
    <div className="choices">
      {(Object.keys(SETTINGS) as Setting[]).map((one) => (
        <Check key={one} name="subtasks" checked={one === setting} onChange={() => onChange(one)}>
          {SETTINGS[one]}
        </Check>
      ))}
    </div>
  </fieldset>
)

interface ColumnsProps {
  board: Board
  columns: Draft['columns']
  onChange(columns: Draft['columns']): void
}

function Columns({ board: { sections }, columns, onChange }: ColumnsProps) {
  const defaultColumns = visibleColumns({ sections })
  const selected = columns ?? defaultColumns
  const toggle = (id: number, isSelected: boolean) => {
    const next = sections
      .map(({ section_id }) => section_id)
      .filter((one) => (one === id ? isSelected : selected.includes(one)))
    // At least one section stays selected.
    if (next.length) onChange(next.join() === defaultColumns.join() ? null : next)
  }
  return (
    <fieldset>
      <legend>{t('board.columns')}</legend>
      <div className="choices">
        {sections.map(({ section_id, title }) => (
          <Check
            key={section_id}
            checked={selected.includes(section_id)}
            onChange={(isOn) => toggle(section_id, isOn)}
          >
            {title}
          </Check>
        ))}
      </div>
    </fieldset>
  )
}

interface CountProps {
  draft: Draft
  board: Board
}

/** The number of matching tasks, before the view is saved. */
function MatchCount({ draft, board }: CountProps) {
  const { data: me } = useOperation('user_context.get', {})
  const filter: Filter = { match: draft.match, groups: completeGroups(draft.groups) }
  const serverMatches = useServerMatches(board.project_id, filter)
  const matches = cardTest(filter, { board, me: me?.profile.user_id, serverMatches })
  const columns = new Set(draft.columns ?? visibleColumns(board))
  const isShown = (card: Card) =>
    columns.has(card.section_id) && (draft.subtasks.startsWith('Flattened') || !card.parent_task_id)
  const isLoading = serverRules(filter).length > 0 && !serverMatches
  const count = board.cards.filter((card) => isShown(card) && matches(card)).length
  return (
    <p className="soft count" role="status">
      {!isLoading && t('board.matching_tasks', { count })}
    </p>
  )
}

const visibleColumns = ({ sections }: Pick<Board, 'sections'>) =>
  sections.filter(({ hidden }) => !hidden).map(({ section_id }) => section_id)
