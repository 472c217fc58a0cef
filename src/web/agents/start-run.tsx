import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { say } from '../frame/toasts.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useTyped } from '../task/typed.ts'
import './asking.css'
import { manages } from './deeds.ts'
import { Refusal } from './refusal.tsx'

interface Props {
  task: { task_id: number; ticket_number: string; title: string }
  /** Whose run it is at first. */
  agent_id?: string | undefined
  draft?: string
  onClose(): void
}

/** Sets an agent to work on a task, with what it is asked to do. */
export default function StartRun({ task, agent_id, draft = '', onClose }: Props) {
  const { task_id, ticket_number } = task
  const agents = useAgentsFor(task_id)
  const [chosen, setChosen] = useState(agent_id)
  const asked = useTyped(`run:new:${task_id}`, draft)
  const [words, setWords] = useState('')
  const [, go] = useLocation()
  const whose = chosen ?? agents?.[0]?.agent_id
  const { act, busy } = useAct('runs.create', {
    done({ run_id, created }) {
      asked.draft.drop()
      say(created ? `A run waits on ${ticket_number}` : 'It had an open run already')
      onClose()
      go(`/runs/${run_id}`)
    },
    failed: (error) => setWords(wordsOf(error)),
  })
  return (
    <Dialog open onClose={onClose} title={`Set an agent to work on ${ticket_number}`}>
      <form
        className="agent-ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (!whose) return
          const prompt = asked.text.trim()
          act({ task_id, agent_id: whose, ...(prompt && { prompt }) })
        }}
      >
        {agents?.length === 0 ? (
          <p>
            No agent that you answer for works on this board. Connect one, or ask the owner of
            another.
          </p>
        ) : (
          <label className="labelled">
            Agent
            <select
              className="field"
              value={whose ?? ''}
              onChange={({ target }) => setChosen(target.value)}
            >
              {agents?.map((one) => (
                <option key={one.agent_id} value={one.agent_id}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="labelled">
          What shall it do? The task itself, if nothing is said.
          <textarea
            className="field"
            rows={4}
            maxLength={10_000}
            dir="auto"
            value={asked.text}
            onChange={({ target }) => asked.type(target.value)}
          />
        </label>
        <Refusal words={words} />
        <footer>
          <button type="submit" className="button main" disabled={busy || !whose}>
            Start the run
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Agents of the board that one may set to work. */
function useAgentsFor(task_id: number) {
  const { data: me } = useAsk('user_context.get', {})
  const { data: task } = useAsk('tasks.get', { task_id, format: 'html' })
  const project_id = task && 'project_id' in task ? task.project_id : undefined
  const team_id = me?.boards.find((one) => one.project_id === project_id)?.team_id
  const { data } = useAsk(
    'agents.list',
    { team_id: team_id ?? 0, state: 'active', limit: 50, sort: 'title' },
    { enabled: team_id !== undefined },
  )
  return data?.items.filter(
    (one) =>
      me && manages(me, one) && (!one.project_ids || one.project_ids.includes(project_id ?? 0)),
  )
}
