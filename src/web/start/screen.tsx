import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAct, useCache } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain } from '../frame/toasts.tsx'
import { plus } from '../parts/days.ts'
import { dayOf } from '../parts/zone.ts'
import { EXAMPLE } from './example.ts'
import './start.css'
import { Steps } from './steps.tsx'
import { type First, TEMPLATES, type Template } from './templates.ts'

type Me = Output<'user_context.get'>

/** A board to begin with; the way to the first one leads on to connecting an agent. */
export default function Start({ me }: { me: Me }) {
  const isFirst = !me.boards.length
  const teams = me.teams.filter(({ role }) => role !== 'guest')
  const [team_id, setTeam] = useState(teams[0]?.team_id)
  const [title, setTitle] = useState('')
  const { make, busy } = useMaking(isFirst)
  if (team_id === undefined) return <Guest name={me.profile.display_name} />
  const choose = (template: Template) => make(template, team_id, title.trim())
  return (
    <div className="start">
      {isFirst && <Steps at={1} />}
      <h1>{isFirst ? `Welcome, ${me.profile.display_name}` : 'A new board'}</h1>
      <p className="lead">
        Choose what is nearest to your work. Columns, labels and rules can be changed at any time.
      </p>
      <div className="asked">
        <label>
          Name of the board
          <input
            className="field"
            placeholder="Otherwise it is called as below"
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
              <Picture template={template} />
              <strong>{template.name}</strong>
              <span className="soft">{template.about}</span>
            </button>
          </li>
        ))}
      </ul>
      <Elsewhere />
    </div>
  )
}

/** Opens a board as a template says, and goes there once it is among the places. */
function useMaking(isFirst: boolean) {
  const [, go] = useLocation()
  const cache = useCache()
  const failed = (error: unknown) => complain(wordsOf(error))
  const { finish, busy } = useAct('projects.create')
  const make = async (template: Template, team_id: number, title: string) => {
    const { board, tasks, playbook } = template
    const named = { ...board, ...(title && { title }) }
    try {
      const { project_id } = await finish({ team_id, ...named, tasks: tasks.map(dated) })
      // The board is there without it, so nothing is taken back where that is refused.
      if (Object.keys(playbook).length)
        await send('projects.set_playbook', { project_id, ...playbook }).catch(failed)
      await cache.invalidateQueries({ queryKey: ['user_context.get'] })
      go(`/projects/${project_id}${isFirst ? '?connect=first' : ''}`)
    } catch (error) {
      failed(error)
    }
  }
  return { make, busy }
}

function dated({ due_in, ...task }: First) {
  if (due_in === undefined) return task
  return { ...task, due_date: plus(dayOf(new Date()), due_in) }
}

const Elsewhere = () => (
  <p className="elsewhere">
    Boards can also be brought from <a href="/docs/manual/operating">a file</a>, made from{' '}
    <a href="/docs/manual/start#a-first-board">the command line</a>, or by an agent.
  </p>
)

const Guest = ({ name }: { name: string }) => (
  <div className="start">
    <h1>Welcome, {name}</h1>
    <p className="lead">
      You are a guest here and work on the boards that you are invited to. Ask whoever invited you
      for one: it appears at the left as soon as you may see it.
    </p>
  </div>
)

/** The board in small: what stands in which column. */
const Picture = ({ template: { board, tasks } }: { template: Template }) => {
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
