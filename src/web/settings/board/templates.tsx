import { useAsk } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { Icon, Priority } from '../../parts/icon.tsx'
import { LoadError } from '../../parts/load-error.tsx'
import { isGone, useGone } from '../../task/later.ts'
import { useApply, useRemove } from '../../task/templates.tsx'
import type { PartProps } from './data.ts'
import { Part } from './parts.tsx'

type Template = Output<'templates.list'>['items'][number]

const ABOUT =
  'Tasks to begin from, with their text, labels, size and sub-tasks. To make one, open a task that ' +
  'others will be like, and choose “Make a template” from its menu.'

export default function Templates({ board }: PartProps) {
  const list = useAsk('templates.list', { projectId: board.project_id, limit: 50 })
  const apply = useApply(() => {})
  const remove = useRemove()
  useGone()
  const { data } = list
  if (!data) return <LoadError of={list} what="templates" />
  const there = data.items.filter((one) => !isGone(`template ${one.template_id}`))
  return (
    <Part title="Templates" about={ABOUT}>
      {!there.length && <p className="none">No template yet.</p>}
      <ul className="rows" aria-label="Templates">
        {there.map((one) => (
          <li key={one.template_id} className="board-row">
            <div className="first">
              <Icon name="page" />
              <span className="who">
                <span dir="auto">{one.name}</span>
                <span className="soft">{aboutOf(one)}</span>
              </span>
              {one.priority > 0 && <Priority value={one.priority} />}
              <button type="button" className="button plain" onClick={() => apply(one)}>
                Make a task
                <span className="unseen"> of {one.name}</span>
              </button>
              <button type="button" className="button quiet only" onClick={() => remove(one)}>
                <Icon name="trash" label={`Delete the template ${one.name}`} />
              </button>
            </div>
          </li>
        ))}
      </ul>
      {data.page.has_more && (
        <p className="soft">And more of them: the palette finds them by name.</p>
      )}
    </Part>
  )
}

function aboutOf({ name, title, size, labels, subtask_count: count, created_by }: Template) {
  return [
    title !== name && `makes “${title}”`,
    size !== 'none' && `size ${size}`,
    ...labels.map((one) => one.name),
    count > 0 && (count === 1 ? '1 sub-task' : `${count} sub-tasks`),
    `by ${created_by.name}`,
  ]
    .filter(Boolean)
    .join(', ')
}
