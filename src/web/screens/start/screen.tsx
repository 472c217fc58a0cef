import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { addDays } from '../../kit/days.ts'
import { showError } from '../../kit/toasts.tsx'
import { dayOf } from '../../kit/zone.ts'
import { EXAMPLE } from './example.ts'
import './start.css'
import { Steps } from './steps.tsx'
import { TEMPLATES, type Template, type TemplateTask } from './templates.ts'

type Me = Output<'user_context.get'>

/** The screen for a new board. The first board leads on to connecting an agent. */
export default function Start({ me }: { me: Me }) {
  const isFirst = !me.boards.length
  const teams = me.teams.filter(({ role }) => role !== 'guest')
  const [team_id, setTeam] = useState(teams[0]?.team_id)
  const [title, setTitle] = useState('')
  const { createFromTemplate, busy } = useCreateBoard(isFirst)
  if (team_id === undefined) return <Guest name={me.profile.display_name} />
  const choose = (template: Template) => createFromTemplate(template, team_id, title.trim())
  return (
    <div className="start">
      {isFirst && <Steps current={1} />}
      <h1>{isFirst ? `Welcome, ${me.profile.display_name}` : 'New board'}</h1>
      <p className="lead">
        Select a template. You can change columns, labels and rules at any time.
      </p>
      <div className="asked">
        <label>
          Board name (optional)
          <input
            className="field"
            placeholder="Default: the name in the template"
            maxLength={500}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        {teams.length > 1 && (
          <label>
            Team
            <select
              className="field"
              value={team_id}
              onChange={(event) => setTeam(Number(event.target.value))}
            >
              {teams.map((team) => (
                <option key={team.team_id} value={team.team_id}>
                  {team.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <ul className="templates">
        {[...TEMPLATES, EXAMPLE].map((template) => (
          <li key={template.name}>
            <button type="button" disabled={busy} onClick={() => choose(template)}>
              <BoardPreview template={template} />
              <strong>{template.name}</strong>
              <span className="soft">{template.about}</span>
            </button>
          </li>
        ))}
      </ul>
      <OtherWays />
    </div>
  )
}

/** Creates a board from a template, and opens it once it is in the list of boards. */
function useCreateBoard(isFirst: boolean) {
  const [, go] = useLocation()
  const cache = useCache()
  const { finish, busy } = useOperationMutation('projects.create')
  const createFromTemplate = async (template: Template, team_id: number, title: string) => {
    const { board, tasks, playbook } = template
    const boardFields = { ...board, ...(title && { title }) }
    try {
      const { project_id } = await finish({
        team_id,
        ...boardFields,
        tasks: tasks.map(withDueDate),
      })
      // The board exists without the playbook, so a refused playbook undoes nothing.
      if (Object.keys(playbook).length)
        await sendWrite('projects.set_playbook', { project_id, ...playbook }).catch(showError)
      await cache.invalidateQueries({ queryKey: ['user_context.get'] })
      go(`/projects/${project_id}${isFirst ? '?connect=first' : ''}`)
    } catch (error) {
      showError(error)
    }
  }
  return { createFromTemplate, busy }
}

function withDueDate({ due_in, ...task }: TemplateTask) {
  if (due_in === undefined) return task
  return { ...task, due_date: addDays(dayOf(new Date()), due_in) }
}

const OtherWays = () => (
  <p className="elsewhere">
    You can also import a board from <a href="/docs/manual/export-import">a file</a>, or create one
    from <a href="/docs/manual/start#a-first-board">the command line</a> or with an agent.
  </p>
)

const Guest = ({ name }: { name: string }) => (
  <div className="start">
    <h1>Welcome, {name}</h1>
    <p className="lead">
      You are a guest here and can only work on boards that you are invited to. Ask the person who
      invited you for access to a board. It then appears in the sidebar.
    </p>
  </div>
)

/** A preview of the columns and tasks of a template. */
const BoardPreview = ({ template: { board, tasks } }: { template: Template }) => {
  const colors = new Map(board.labels?.map(({ name, color }) => [name, color]))
  return (
    <span className="picture" aria-hidden="true">
      {board.sections.map(({ title }) => (
        <span key={title}>
          <i />
          {tasks
            .filter(({ section_title }) => section_title === title)
            .map((task) => (
              <b key={task.title}>
                <s style={{ background: colors.get(task.labels?.[0] ?? '') }} />
              </b>
            ))}
        </span>
      ))}
    </span>
  )
}
