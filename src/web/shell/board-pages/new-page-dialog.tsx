import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { PageRow } from '../../entities/page/data.ts'
import { newPath } from '../../entities/page/new-path.ts'
import { originState } from '../../entities/page/origin.ts'
import type { QuickTask } from '../../entities/quick-find/quick-find.ts'
import type { Me } from '../../entities/user/me.ts'
import { Field, SelectField, TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../../messages/t.ts'
import { FindTask } from '../../screens/task/find.tsx'
import { isTemplateFolder, useBoardPages } from './data.ts'

interface Props {
  board: Me['boards'][number]
  onClose(): void
}

/** A new page on a board: on a task of it or on a new one, blank or from a template. */
export default function NewPageDialog({ board, onClose }: Props) {
  const { project_id } = board
  const [, go] = useLocation()
  const [title, setTitle] = useState('')
  const [task, setTask] = useState<QuickTask>()
  const [templateId, setTemplateId] = useState(0)
  const templates = useTemplates(project_id)
  const submit = async () => {
    const ticket = task?.ticket_number ?? (await createTask(project_id, title))
    const path = templateId
      ? await createFrom(templateId, ticket, title)
      : `${newPath(ticket, 'page')}&${new URLSearchParams({ title })}`
    go(path, { state: originState() })
  }
  return (
    <FormDialog
      title={t('shell.new_page_on_board', { board: board.title })}
      submitLabel={t('shell.create_page')}
      disabled={!title.trim()}
      {...{ onClose, onSubmit: submit }}
    >
      <TextField
        {...{ label: t('common.title'), name: 'title', value: title, maxLength: 500 }}
        required
        autoComplete="off"
        onChange={setTitle}
      />
      <Field label={t('shell.on_the_task')} hint={t('shell.every_page_belongs_to_a_task')}>
        {({ id, className }) => (
          <FindTask
            label={t('shell.find_a_task')}
            {...{ project_id, excludedIds: [], onPick: setTask }}
            trigger={
              <button type="button" id={id} className={`${className} pick-task`}>
                {task ? `${task.ticket_number} ${task.title}` : t('shell.a_new_task_of_this_title')}
              </button>
            }
          />
        )}
      </Field>
      {templates.length > 0 && (
        <SelectField
          label={t('template.template')}
          value={templateId}
          choices={[
            [0, t('template.blank')],
            ...templates.map((one): [number, string] => [one.page_id, one.title]),
          ]}
          onPick={setTemplateId}
        />
      )}
    </FormDialog>
  )
}

/** The pages nested in a page named Templates. */
function useTemplates(project_id: number): readonly PageRow[] {
  const { pages } = useBoardPages(project_id)
  const folders = new Set(pages.filter(isTemplateFolder).map(({ page_id }) => page_id))
  return pages.filter(
    ({ parent_page_id, canvas }) =>
      parent_page_id !== null && folders.has(parent_page_id) && !canvas,
  )
}

const createTask = async (project_id: number, title: string) =>
  (await sendWrite('tasks.create', { project_id, title: title.trim() })).ticket_number

/** Creates a page with the text of a template; returns its address. */
async function createFrom(templateId: number, ticket_number: string, title: string) {
  const { content } = await callOperation('pages.get', { page_id: templateId, format: 'markdown' })
  const page = await sendWrite('pages.create', { ticket_number, title: title.trim(), content })
  void cache.invalidateQueries({ queryKey: ['pages.list'] })
  return `/p/${page.page_id}`
}
