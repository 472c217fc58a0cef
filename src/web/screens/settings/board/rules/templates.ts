import type {
  Action,
  BoardChoices,
  Definition,
  When,
} from '../../../../entities/task/rule/types.ts'
import { t } from '../../../../messages/t.ts'
import type { Board } from '../data.ts'

const KEY = '{{task.key}}'

interface Template {
  name: string
  definition: Definition
}

const rule = (when: When, ...actions: Action[]): Definition => ({
  when,
  actions,
  conditions: { groups: [] },
})

/** Common rules, with the columns of this board filled in where their roles tell which. */
export function templatesFor({ sections }: Board, { agents }: BoardChoices): Template[] {
  const column = (role: string) => sections.find((one) => one.role === role)?.section_id
  const done = sections.find((one) => one.done)?.section_id
  const [agent] = agents
  return [
    {
      name: t('rules.a_merged_pull_request_completes_its_task'),
      definition: rule({ event: 'pull_request_merged' }, move(done)),
    },
    {
      name: t('rules.an_open_pull_request_moves_its_task'),
      definition: rule({ event: 'pull_request_opened' }, move(column('verify'))),
    },
    {
      name: t('rules.an_overdue_task_notifies_its_assignees'),
      definition: rule({ event: 'overdue' }, notify(t('rules.key_is_overdue', { key: KEY }))),
    },
    {
      name: t('rules.an_assigned_task_moves_on'),
      definition: rule({ event: 'task_assigned' }, move(column('building'))),
    },
    {
      name: t('rules.a_failed_run_is_urgent'),
      definition: rule(
        { event: 'run_failed' },
        { do: 'set_field', field: 'priority', value: 1 },
        notify(t('rules.a_run_on_key_failed', { key: KEY })),
      ),
    },
    {
      name: t('rules.an_agent_reviews_what_moves_on'),
      definition: rule(
        { event: 'task_moved', section_id: column('verify') },
        { do: 'call_agent', who: agent?.value, text: t('rules.please_review_key', { key: KEY }) },
      ),
    },
  ]
}

const move = (section_id: number | undefined): Action => ({ do: 'move', section_id })
const notify = (text: string): Action => ({ do: 'notify', who: 'assignees', text })
