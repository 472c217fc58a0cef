import { useOperation } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import { Priority } from '../../../entities/task/priority.tsx'
import {
  deleteTemplate,
  pendingDeleteName,
  useApplyTemplate,
} from '../../../entities/template/templates.tsx'
import { usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { Icon } from '../../../kit/icon.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { SettingsSection } from '../parts.tsx'
import type { PartProps } from './data.ts'

type Template = Output<'templates.list'>['items'][number]

const ABOUT =
  'Starting points for new tasks, with text, labels, size and subtasks. To create one, open a task ' +
  'and select “Save as a template” from its menu.'

export default function Templates({ board }: PartProps) {
  const list = useOperation('templates.list', { projectId: board.project_id, limit: 50 })
  const apply = useApplyTemplate(() => {})
  const deleted = usePendingDeletes()
  const { data } = list
  if (!data) return <LoadError of={list} what="templates" />
  const templates = data.items.filter((one) => !deleted.has(pendingDeleteName(one)))
  return (
    <SettingsSection title="Templates" about={ABOUT}>
      {!templates.length && <p className="none">No templates yet.</p>}
      <ul className="rows" aria-label="Templates">
        {templates.map((template) => (
          <li key={template.template_id} className="board-row">
            <div className="first">
              <Icon name="page" />
              <span className="who">
                <span dir="auto">{template.name}</span>
                <span className="soft">{detailsOf(template)}</span>
              </span>
              {template.priority > 0 && <Priority value={template.priority} />}
              <button type="button" className="button plain" onClick={() => apply(template)}>
                Create task
                <span className="unseen"> from {template.name}</span>
              </button>
              <button
                type="button"
                className="button quiet only"
                onClick={() => deleteTemplate(template)}
              >
                <Icon name="trash" label={`Delete the template ${template.name}`} />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {data.page.has_more && (
        <p className="soft">Find more templates by name in the command palette.</p>
      )}
    </SettingsSection>
  )
}

function detailsOf({ name, title, size, labels, subtask_count: count, created_by }: Template) {
  return [
    title !== name && `creates “${title}”`,
    size !== 'none' && `size ${size}`,
    ...labels.map((one) => one.name),
    count > 0 && (count === 1 ? '1 subtask' : `${count} subtasks`),
    `by ${created_by.name}`,
  ]
    .filter(Boolean)
    .join(', ')
}
