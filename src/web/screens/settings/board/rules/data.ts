import { cache, patchQuery, useOperation } from '../../../../data/cache.ts'
import type { Input, Output } from '../../../../data/client.ts'
import type { Choice } from '../../../../kit/pick-popup.tsx'
import { t } from '../../../../messages/t.ts'
import { type Board, fieldsQuery } from '../data.ts'

export type Rule = Output<'rules.list'>['items'][number]
export type Definition = Pick<Input<'rules.create'>, 'when' | 'actions'> & {
  conditions: Rule['conditions']
}
export type When = Definition['when']
export type Action = Definition['actions'][number]
export type Conditions = Rule['conditions']

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

/** What the rules of the board can refer to, as choices of pickers. */
export interface BoardChoices {
  sections: Choice<number>[]
  labels: Choice<number>[]
  people: Choice<string | number>[]
  agents: Choice<string | number>[]
  fields: Output<'custom_fields.list'>['items']
  webhooks: Choice<number>[]
}

export function useBoardChoices({ project_id, sections, labels }: Board, mayManage: boolean) {
  const members = useOperation('projects.members', { project_id, limit: 50 })
  const fields = useOperation('custom_fields.list', fieldsQuery(project_id))
  const hooks = useOperation(
    'board_webhooks.list',
    { project_id, limit: 50 },
    { enabled: mayManage },
  )
  const actors = members.data?.items ?? []
  return {
    sections: sections.map((one) => ({ value: one.section_id, name: one.title })),
    labels: labels.map((one) => ({ value: one.label_id, name: one.name })),
    people: actors.flatMap((one) => (one.kind === 'person' ? [choiceOf(one)] : [])),
    agents: actors.flatMap((one) => (one.kind === 'agent' ? [choiceOf(one)] : [])),
    fields: fields.data?.items ?? [],
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

/** Whom a notification can go to besides members. */
export const ROLE_CHOICES: Choice<string | number>[] = [
  { value: 'assignees', name: t('rules.its_assignees') },
  { value: 'creator', name: t('rules.its_creator') },
]
