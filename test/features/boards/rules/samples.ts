import type { operations } from '../../../../src/features/boards/rules/operations/index.ts'
import { BOARD, boardId, type SamplesOf } from '../../../support/operation-sample.ts'
import { runRules } from '../../../support/rules.ts'
import type { World } from '../../../support/world.ts'

const definition = (w: World) => ({
  when: { event: 'task_moved', section_id: w.sections.Review },
  conditions: { groups: [{ match: 'ALL', rules: [{ field: 'done', op: 'is', value: false }] }] },
  actions: [
    { do: 'assign', who: w.cleo.caller.actor_id },
    { do: 'set_field', field: 'due_date', days: 2 },
    { do: 'create_subtask', title: 'Read {{task.key}}', text: 'As soon as possible' },
  ],
})

/** A rule of the owner, which was executed once. */
async function createRule(w: World) {
  const rule = await w.ada['rules.create']({ ...boardId(w), ...definition(w) } as never)
  const { rule_id } = rule
  await w.ada['tasks.update']({ task_id: w.tasks.copy.task_id, section_id: w.sections.Review })
  await runRules(w)
  return { rule_id }
}

const MANAGERS = ['admin', 'owner'] as const
const partial = {
  'is set by another credential or another order of requests than the samples use': [
    'paused_reason',
  ],
}

export const samples: SamplesOf<typeof operations> = {
  'rules.list': {
    input: async (w) => {
      await createRule(w)
      return boardId(w)
    },
    allowed: [...BOARD, 'reading key'],
  },
  'rules.get': { input: createRule, allowed: [...BOARD, 'reading key'], unset: partial },
  'rules.create': {
    input: (w) => ({ ...boardId(w), ...definition(w) }),
    allowed: MANAGERS,
    approval: 'never',
    notInChat: 'it acts with the rights of whoever creates it',
  },
  'rules.update': {
    input: async (w) => ({ ...(await createRule(w)), enabled: false }),
    allowed: MANAGERS,
    approval: 'never',
    notInChat: 'it acts with the rights of whoever changes it',
  },
  'rules.delete': {
    input: createRule,
    allowed: MANAGERS,
    approval: 'always',
    notInChat: 'rules are no tools of a chat',
  },
  'rules.preview': {
    input: async (w) => {
      await createRule(w)
      return { ...boardId(w), ...definition(w) }
    },
    allowed: [...BOARD, 'reading key'],
  },
  'rules.executions': { input: createRule, allowed: [...BOARD, 'reading key'] },
}
