import { useRef, useState } from 'react'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { SelectField, TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { toggleValue } from './filter.ts'
import { OptionsForm, Toggle, Values } from './options-form.tsx'
import type { MyView } from './types.ts'
import { optionsOfView, type ViewOptions, viewFieldsOf } from './view-options.ts'
import type { ViewState } from './view-state.ts'
import { reloadViews } from './views.ts'

interface Props {
  /** Undefined creates a new view from the current options. */
  view: MyView | undefined
  viewState: ViewState
  onClose(): void
}

interface ExtraFields {
  title: string
  hidden_section_ids: readonly number[]
  default_project_id: number | null
}
const NO_EXTRA: ExtraFields = { title: '', hidden_section_ids: [], default_project_id: null }

/** Creates or edits a view of My Tasks. */
export default function ViewDialog({ view, viewState, onClose }: Props) {
  const [options, setOptions] = useState<ViewOptions>(
    view ? optionsOfView(view) : viewState.options,
  )
  // A new view based on another one also hides its hidden sections.
  const [extra, setExtra] = useState<ExtraFields>(
    view ?? { ...NO_EXTRA, ...viewState.view, title: '' },
  )
  const updateOptions = (change: Partial<ViewOptions>) =>
    setOptions((previous) => ({ ...previous, ...change }))
  const updateExtra = (change: Partial<ExtraFields>) =>
    setExtra((previous) => ({ ...previous, ...change }))
  const save = useSave(view, viewState)
  const field = useRef<HTMLInputElement>(null)
  return (
    <FormDialog
      title={view ? t('mine.edit_view_name') : t('mine.save_as_a_view_name')}
      submitLabel={t('common.save')}
      onSubmit={() => save(options, extra)}
      {...{ field, onClose }}
    >
      <TextField
        {...{ ref: field, label: t('common.name'), name: 'title', required: true, maxLength: 200 }}
        value={extra.title}
        onChange={(title) => updateExtra({ title })}
      />
      <DefaultBoard {...{ extra, updateExtra }} />
      <OptionsForm {...{ options, updateOptions }} />
      <HiddenColumns {...{ options, extra, updateExtra }} />
    </FormDialog>
  )
}

function useSave(view: MyView | undefined, viewState: ViewState) {
  const { mutateAsync: create } = useOperationMutation('my_views.create')
  const { mutateAsync: update } = useOperationMutation('my_views.update')
  return async (options: ViewOptions, extra: ExtraFields) => {
    const { title, hidden_section_ids, default_project_id } = extra
    const fields = {
      ...viewFieldsOf(options),
      ...{ title: title.trim(), hidden_section_ids: [...hidden_section_ids], default_project_id },
    }
    const saved = await (view ? update({ view_id: view.view_id, ...fields }) : create(fields))
    await reloadViews()
    viewState.show(saved.view_id)
    showToast(
      view
        ? t('mine.updated_the_view_title', { title: saved.title })
        : t('mine.saved_the_view_title', { title: saved.title }),
    )
  }
}

interface ExtraProps {
  extra: ExtraFields
  updateExtra(changes: Partial<ExtraFields>): void
}

/** Sections of the selected boards to hide in the view. */
function HiddenColumns({
  options: { project_ids },
  ...rest
}: ExtraProps & { options: ViewOptions }) {
  const { data: me } = useOperation('user_context.get', {})
  const boards = me?.boards ?? []
  const filterBoards =
    boards.length === 1
      ? boards
      : boards.filter(({ project_id }) => project_ids.includes(project_id))
  return filterBoards.map(({ project_id, title }) => (
    <Columns key={project_id} project_id={project_id} board={title} {...rest} />
  ))
}

interface ColumnsProps extends ExtraProps {
  project_id: number
  board: string
}

function Columns({
  project_id,
  board,
  extra: { hidden_section_ids: hidden },
  updateExtra,
}: ColumnsProps) {
  const { data } = useOperation('sections.list', { project_id, include_hidden: true, limit: 50 })
  if (!data) return null
  const toggle = (section_id: number) => {
    const next = toggleValue(hidden.map(String), String(section_id))
    updateExtra({ hidden_section_ids: next.map(Number) })
  }
  return (
    <Values name={t('mine.hide_columns_of_board', { board })}>
      {data.items.map(({ section_id, title }) => (
        <Toggle
          key={section_id}
          on={hidden.includes(section_id)}
          onToggle={() => toggle(section_id)}
        >
          {title}
        </Toggle>
      ))}
    </Values>
  )
}

function DefaultBoard({ extra: { default_project_id }, updateExtra }: ExtraProps) {
  const { data: me } = useOperation('user_context.get', {})
  const boards = me?.boards.map(({ project_id, title }) => [project_id, title] as const) ?? []
  return (
    <SelectField
      label={t('mine.new_tasks_go_to')}
      value={default_project_id}
      choices={[[null, t('mine.default_board_of_your_profile')], ...boards]}
      onPick={(project_id) => updateExtra({ default_project_id: project_id })}
    />
  )
}
