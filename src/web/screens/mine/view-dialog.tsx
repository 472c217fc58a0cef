import { useRef, useState } from 'react'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { showToast } from '../../kit/toasts.tsx'
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
  const put = (change: Partial<ViewOptions>) => setOptions((now) => ({ ...now, ...change }))
  const putExtra = (change: Partial<ExtraFields>) => setExtra((now) => ({ ...now, ...change }))
  const { save, error, busy } = useSave({ view, viewState, onClose })
  const field = useRef<HTMLInputElement>(null)
  const title = view ? 'Edit view' : 'Save as a view'
  return (
    <Dialog open {...{ field, onClose, title }}>
      <form
        className="view-form"
        onSubmit={(event) => {
          event.preventDefault()
          save(options, extra)
        }}
      >
        <label>
          Name
          <input
            {...{ ref: field, className: 'field', required: true, maxLength: 200 }}
            value={extra.title}
            onChange={(event) => putExtra({ title: event.target.value })}
          />
        </label>
        <DefaultBoard {...{ extra, putExtra }} />
        <OptionsForm {...{ options, put }} />
        <HiddenColumns {...{ options, extra, putExtra }} />
        <footer>
          <p role="alert">{error}</p>
          <button type="submit" className="button main" disabled={busy}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function useSave({ view, viewState, onClose }: Props) {
  const [error, setError] = useState('')
  const handlers = {
    async onDone({ view_id, title }: MyView) {
      await reloadViews()
      viewState.show(view_id)
      onClose()
      showToast(view ? `Updated the view ${title}` : `Saved the view ${title}`)
    },
    onFailed: (error: Error) => setError(errorText(error)),
  }
  const { act: create, busy: creating } = useOperationMutation('my_views.create', handlers)
  const { act: change, busy: changing } = useOperationMutation('my_views.update', handlers)
  const save = (options: ViewOptions, extra: ExtraFields) => {
    const { title, hidden_section_ids, default_project_id } = extra
    const fields = {
      ...viewFieldsOf(options),
      ...{ title: title.trim(), hidden_section_ids: [...hidden_section_ids], default_project_id },
    }
    setError('')
    if (view) change({ view_id: view.view_id, ...fields })
    else create(fields)
  }
  return { save, error, busy: creating || changing }
}

interface ExtraProps {
  extra: ExtraFields
  putExtra(some: Partial<ExtraFields>): void
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
  putExtra,
}: ColumnsProps) {
  const { data } = useOperation('sections.list', { project_id, include_hidden: true, limit: 50 })
  if (!data) return null
  const toggle = (section_id: number) => {
    const next = toggleValue(hidden.map(String), String(section_id))
    putExtra({ hidden_section_ids: next.map(Number) })
  }
  return (
    <Values name={`Hide columns of ${board}`}>
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

function DefaultBoard({ extra: { default_project_id }, putExtra }: ExtraProps) {
  const { data: me } = useOperation('user_context.get', {})
  return (
    <label>
      New tasks go to
      <select
        className="field"
        value={default_project_id ?? ''}
        onChange={({ target: { value } }) =>
          putExtra({ default_project_id: value ? Number(value) : null })
        }
      >
        <option value="">Default board of your profile</option>
        {me?.boards.map(({ project_id, title }) => (
          <option key={project_id} value={project_id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
