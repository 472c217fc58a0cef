import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCache, useOperationMutation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { managedTeams } from '../../entities/user/me.ts'
import { basePath } from '../../kit/base-path.ts'
import { addDays } from '../../kit/days.ts'
import { showError } from '../../kit/toasts.tsx'
import { dayOf } from '../../kit/zone.ts'
import { rich, t } from '../../messages/t.ts'
import { EXAMPLE } from './example.ts'
import './start.css'
import { FirstSteps } from './steps.tsx'
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
      {isFirst && <FirstSteps current={1} />}
      <h1>
        {isFirst
          ? t('start.welcome_display_name', { display_name: me.profile.display_name })
          : t('start.new_board')}
      </h1>
      <p className="intro">{t('start.select_a_template_you_can_change_columns')}</p>
      <div className="questions">
        <label>
          {t('start.board_name_optional')}
          <input
            className="field"
            placeholder={t('start.default_the_name_in_the_template')}
            maxLength={500}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        {teams.length > 1 && (
          <label>
            {t('common.team')}
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
      {managedTeams(me).length > 0 && <ImportHint />}
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
  const { mutateAsync, busy } = useOperationMutation('projects.create')
  const createFromTemplate = async (template: Template, team_id: number, title: string) => {
    const { board, tasks, playbook } = template
    const boardFields = { ...board, ...(title && { title }) }
    try {
      const { project_id } = await mutateAsync({
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

const ImportHint = () => (
  <p className="import-offer">
    <span>{t('start.do_you_use_another_product')}</span>
    <Link href="/import" className="button plain">
      {t('start.import_from_another_product')}
    </Link>
  </p>
)

const OtherWays = () => (
  <p className="import-hint">
    {rich('start.you_can_also_import_a_board_from', {
      a: <a href={`${basePath}/docs/manual/export-import`}>{t('start.a_file')}</a>,
      a2: <a href={`${basePath}/docs/manual/start#a-first-board`}>{t('start.the_command_line')}</a>,
    })}
  </p>
)

const Guest = ({ name }: { name: string }) => (
  <div className="start">
    <h1>{t('start.welcome_name', { name })}</h1>
    <p className="intro">{t('start.you_are_a_guest_here_and_can')}</p>
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
