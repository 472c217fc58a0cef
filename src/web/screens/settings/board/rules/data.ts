import { cache, patchQuery, useOperation } from '../../../../data/cache.ts'
import type { Output } from '../../../../data/client.ts'
import { fieldsByName, fieldsOf } from '../../../../entities/task/condition/fields.tsx'
import type { BoardChoices, Rule } from '../../../../entities/task/rule/types.ts'
import type { Choice } from '../../../../kit/pick-popup.tsx'
import { t } from '../../../../messages/t.ts'
import { type Board, fieldsQuery } from '../data.ts'

export const rulesQuery = (project_id: number) => ({ project_id, limit: 50 }) as const

export const reloadRules = () => {
  void cache.invalidateQueries({ queryKey: ['rules.list'] })
  void cache.invalidateQueries({ queryKey: ['rules.executions'] })
}

/** Replaces the shown rules; the returned function shows the earlier ones again. */
export const patchRules = (project_id: number, change: (rules: Rule[]) => Rule[]): (() => void) =>
  patchQuery('rules.list', rulesQuery(project_id), (list) => ({
    ...list,
    items: change(list.items),
  }))

export function useBoardChoices(board: Board, mayManage: boolean) {
  const { project_id, sections, labels } = board
  const members = useOperation('projects.members', { project_id, limit: 50 })
  const fields = useOperation('custom_fields.list', fieldsQuery(project_id))
  const hooks = useOperation(
    'board_webhooks.list',
    { project_id, limit: 50 },
    { enabled: mayManage },
  )
  const actors = members.data?.items ?? []
  const customs = fields.data?.items ?? []
  return {
    sections: sections.map((one) => ({ value: one.section_id, name: one.title })),
    labels: labels.map((one) => ({ value: one.label_id, name: one.name })),
    people: actors.flatMap((one) => (one.kind === 'person' ? [choiceOf(one)] : [])),
    agents: actors.flatMap((one) => (one.kind === 'agent' ? [choiceOf(one)] : [])),
    fields: customs,
    conditionFields: fieldsByName(
      fieldsOf({ board, members: actors, customs }).filter(
        ({ field }) => !ONLY_IN_THE_APP.has(field),
      ),
    ),
    webhooks: (hooks.data?.items ?? []).map(({ webhook_id: value, url }) => ({
      value,
      name: new URL(url).host,
    })),
  } satisfies BoardChoices
}

const choiceOf = ({ user_id, agent_id, name }: Member): Choice<string | number> => ({
  value: agent_id ?? user_id!,
  name,
})
type Member = Output<'projects.members'>['items'][number]

/** Fields that only the cards of an open board can be filtered by. */
const ONLY_IN_THE_APP: ReadonlySet<string> = new Set(['working'])

/** Whom a notification can go to besides members. */
export const ROLE_CHOICES: Choice<string | number>[] = [
  { value: 'assignees', name: t('rules.its_assignees') },
  { value: 'creator', name: t('rules.its_creator') },
]
