import { useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { Escalations, EvidenceList } from './escalations.tsx'
import type { FullRun } from './types.ts'
import { Block } from './work.tsx'

type NearbyTask = FullRun['task']

/** The sidebar of a run: its escalations, its last prompt, its evidence and related tasks. */
export function RunSidebar({ run }: { run: FullRun }) {
  const { prompt, prompted_by, agent, task, parent_tasks, subtasks } = run
  const agentRef = { name: agent.name, ...(agent.agent_id && { agent_id: agent.agent_id }) }
  const isWide = useIsWide()
  const content = (
    <>
      <Escalations agent={agentRef} tasks={[task.task_id]} />
      {prompt && (
        <Block title={t('agents.last_prompt')}>
          <p className="question-text" dir="auto">
            {prompt}
          </p>
          {prompted_by && <p className="soft">{t('agents.by_name', { name: prompted_by.name })}</p>}
        </Block>
      )}
      <EvidenceList agent={agentRef} tasks={[task.task_id]} />
      <Tasks title={t('agents.parent_tasks')} tasks={parent_tasks} />
      <Tasks title={t('common.subtasks')} tasks={subtasks} />
    </>
  )
  if (isWide) return <aside aria-label={t('agents.about_this_run')}>{content}</aside>
  return (
    <details className="around">
      <summary>{t('agents.about_this_run')}</summary>
      {content}
    </details>
  )
}

const wide = matchMedia('(min-width: 64rem)')
const useIsWide = () =>
  useSyncExternalStore(
    (notify) => {
      wide.addEventListener('change', notify)
      return () => wide.removeEventListener('change', notify)
    },
    () => wide.matches,
  )

function Tasks({ title, tasks }: { title: string; tasks: readonly NearbyTask[] }) {
  if (!tasks.length) return null
  return (
    <Block title={title} count={tasks.length}>
      <ul className="related-list">
        {tasks.map((one) => (
          <li key={one.task_id} className={one.done ? 'done' : ''}>
            <Link href={`/t/${one.ticket_number}`}>
              {one.done ? (
                <Icon name="done" label={t('common.done')} />
              ) : (
                <span className="open-mark" />
              )}
              <span className="key minor">{one.ticket_number}</span>
              <span className="name truncate">{one.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Block>
  )
}
