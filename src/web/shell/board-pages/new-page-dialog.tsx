import { useState } from 'react'
import { useLocation } from 'wouter'
import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { boardAt } from '../../entities/board/address.ts'
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
  me: Me
  /** The id of the board; without it, the current or the default one is suggested. */
  boardId?: number
  onClose(): void
}

/** A new page on a board: on a task of it or on a new one, blank or from a template. */
export default function NewPageDialog({ me, boardId, onClose }: Props) {
  const [path, go] = useLocation()
  const [project_id, setBoard] = useState(
    boardId ?? boardAt(path) ?? me.profile.default_board ?? me.boards[0]?.project_id ?? 0,
  )
  const [title, setTitle] = useState('')
  const [task, setTask] = useState<QuickTask>()
  const [templateId, setTemplateId] = useState(0)
  const templates = useTemplates(project_id)
  const submit = async () => {
    const ticket = task?.ticket_number ?? (await createTask(project_id, title))
    go(await pathOfNew(ticket, title, templateId), { state: originState() })
  }
  return (
    <FormDialog
      title={t('page.new_page')}
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
      <SelectField
        label={t('common.board')}
        value={project_id}
        choices={me.boards.map(({ project_id: id, title }): [number, string] => [id, title])}
        onPick={(id) => {
          setBoard(id)
          setTask(undefined)
          setTemplateId(0)
        }}
      />
      <TaskField {...{ project_id, task }} onPick={setTask} />
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

interface TaskFieldProps {
  project_id: number
  task: QuickTask | undefined
  onPick(task: QuickTask): void
}

/** The task of the page; left alone, a new one is created. */
const TaskField = ({ project_id, task, onPick }: TaskFieldProps) => (
  <Field label={t('shell.on_the_task')} hint={t('shell.every_page_belongs_to_a_task')}>
    {({ id, className }) => (
      <FindTask
        label={t('shell.find_a_task')}
        {...{ project_id, excludedIds: [], onPick }}
        trigger={
          <button type="button" id={id} className={`${className} pick-task`}>
            {task ? `${task.ticket_number} ${task.title}` : t('shell.a_new_task_of_this_title')}
          </button>
        }
      />
    )}
  </Field>
)

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

/** The address of the editor, or of the page if a template has its text. */
const pathOfNew = async (ticket: string, title: string, templateId: number) =>
  templateId
    ? createFrom(templateId, ticket, title)
    : `${newPath(ticket, 'page')}&${new URLSearchParams({ title })}`

/** Creates a page with the text of a template; returns its address. */
async function createFrom(templateId: number, ticket_number: string, title: string) {
  const { content } = await callOperation('pages.get', { page_id: templateId, format: 'markdown' })
  const page = await sendWrite('pages.create', { ticket_number, title: title.trim(), content })
  void cache.invalidateQueries({ queryKey: ['pages.list'] })
  return `/p/${page.page_id}`
}
