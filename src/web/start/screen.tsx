import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAct, useCache } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import './start.css'
import { TEMPLATES, type Template } from './templates.ts'

type Me = Output<'user_context.get'>

/** A board to begin with; the way to it leads over connecting an agent. */
export default function Start({ me }: { me: Me }) {
  const [, go] = useLocation()
  const cache = useCache()
  const [team_id, setTeam] = useState(me.teams[0]?.team_id)
  const { act, busy } = useAct('projects.create', {
    async done({ project_id }) {
      await cache.invalidateQueries({ queryKey: ['user_context.get'] })
      go(`/projects/${project_id}${me.boards.length ? '' : '?connect='}`)
    },
    failed: (error) => complain(wordsOf(error)),
  })
  const choose = ({ board, tasks }: Template) =>
    team_id !== undefined && act({ team_id, ...board, tasks })
  return (
    <div className="start">
      <h1>{me.boards.length ? 'A new board' : `Welcome, ${me.profile.display_name}`}</h1>
      <p className="lead">Choose what is nearest; columns and labels can be changed at any time.</p>
      {me.teams.length > 1 && (
        <label className="team">
          Team
          <select
            className="field"
            value={team_id}
            onChange={(event) => setTeam(Number(event.target.value))}
          >
            {me.teams.map((team) => (
              <option key={team.team_id} value={team.team_id}>
                {team.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul className="templates">
        {TEMPLATES.map((template) => (
          <li key={template.name}>
            <button type="button" disabled={busy} onClick={() => choose(template)}>
              <Picture template={template} />
              <strong>{template.name}</strong>
              <span className="soft">{template.about}</span>
            </button>
          </li>
        ))}
        <li>
          <a className="other" href="/docs/manual/start">
            <Icon name="page" />
            <strong>Something else</strong>
            <span className="soft">Bring a board from a file, or look at the demo</span>
          </a>
        </li>
      </ul>
    </div>
  )
}

/** The board in small: what stands in which column. */
const Picture = ({ template: { board, tasks } }: { template: Template }) => (
  <span className="picture" aria-hidden="true">
    {board.sections.map(({ title }) => (
      <span key={title}>
        <i />
        {tasks
          .filter(({ section_title }) => section_title === title)
          .map((task) => (
            <b key={task.title} />
          ))}
      </span>
    ))}
  </span>
)
