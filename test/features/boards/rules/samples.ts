import type { operations } from '../../../../src/features/boards/rules/operations/index.ts'
import { BOARD, boardId, EVERYONE, type SamplesOf } from '../../../support/operation-sample.ts'
import { runRules } from '../../../support/rules.ts'
import type { World } from '../../../support/world.ts'

const definition = (w: World) => ({
  when: { event: 'task_moved', section_id: w.sections.Review },
  conditions: { groups: [{ match: 'ALL', rules: [{ field: 'done', op: 'is', value: false }] }] },
  actions: [
    { do: 'comment', text: 'Please read it' },
    { do: 'assign', who: w.cleo.caller.actor_id },
    { do: 'set_field', field: 'due_date', days: 2 },
    { do: 'create_subtask', title: 'Read {{task.key}}', text: 'As soon as possible' },
  ],
})

/** A rule of the owner, which was executed once. */
async function createRule(w: World) {
  const rule = await w.ada['rules.create']({ ...boardId(w), ...definition(w) } as never)
  const { rule_id } = rule
  const { task_id } = w.tasks.copy
  const { Doing, Review } = w.sections
  for (const section_id of [Doing, Review]) await w.ada['tasks.update']({ task_id, section_id })
  // A served executable runs its rules by itself.
  if (w.store) await runRules(w)
  return { rule_id }
}

/** They reach a model, or another host. */
const FURTHER_ACTIONS = [
  { do: 'comment', text: 'Hi' },
  { do: 'send_webhook', webhook_id: 1 },
]
const MANAGERS = ['admin', 'owner'] as const
const OTHER_ORDER =
  'is set by another credential or another order of requests than the samples use' as const
const PARTS = [
  ...['paused_reason', 'when.label_id', 'when.who', 'when.field', 'when.value', 'when.text'],
  ...['section_id', 'label_id', 'value', 'webhook_id'].map((name) => `actions[].${name}`),
]
const UNUSED_IN_EXAMPLES = [
  ...['label_id', 'who', 'field', 'value', 'text'].map((name) => `examples[].when.${name}`),
  ...['section_id', 'label_id', 'value', 'title', 'webhook_id'].map(
    (name) => `examples[].actions[].${name}`,
  ),
]
const unset = { [OTHER_ORDER]: PARTS }
const OF_ITS_KIND = 'counts with the event or action that it belongs to; see rules.test.ts'
const noReferences = {
  rule_id: 'rules.test.ts tests who finds a rule',
  ...Object.fromEntries(
    ['when.section_id', 'when.label_id', 'actions.section_id', 'actions.label_id'].map((path) => [
      path,
      OF_ITS_KIND,
    ]),
  ),
  'actions.webhook_id': OF_ITS_KIND,
}

export const samples: SamplesOf<typeof operations> = {
  'rules.list': {
    input: async (w) => {
      await createRule(w)
      return boardId(w)
    },
    allowed: [...BOARD, 'reading key'],
    unset: { [OTHER_ORDER]: PARTS.map((path) => `items[].${path}`) },
  },
  'rules.get': { input: createRule, allowed: [...BOARD, 'reading key'], unset, noReferences },
  'rules.create': {
    input: (w) => ({ ...boardId(w), ...definition(w) }),
    allowed: MANAGERS,
    noReferences,
    unset,
    approval: { asksFor: { actions: FURTHER_ACTIONS }, notFor: { actions: [] } },
  },
  'rules.update': {
    input: async (w) => ({ ...(await createRule(w)), ...definition(w), enabled: false }),
    allowed: MANAGERS,
    noReferences,
    unset,
    approval: { asksFor: { actions: FURTHER_ACTIONS }, notFor: { enabled: true } },
  },
  'rules.delete': {
    input: createRule,
    allowed: MANAGERS,
    noReferences,
    approval: 'always',
  },
  'rules.preview': {
    input: async (w) => {
      await createRule(w)
      return { ...boardId(w), ...definition(w) }
    },
    allowed: [...BOARD, 'reading key'],
    noReferences,
    noTexts: { 'actions[].text': 'a preview stores nothing' },
    unset: { [OTHER_ORDER]: ['rows[].reason'] },
  },
  'rules.executions': {
    input: createRule,
    allowed: [...BOARD, 'reading key'],
    noReferences,
    unset: { [OTHER_ORDER]: ['items[].reason', 'items[].results[].error'] },
  },
  'rules.reference': {
    input: () => ({}),
    allowed: [...EVERYONE, 'reading key'],
    unset: { [OTHER_ORDER]: UNUSED_IN_EXAMPLES },
  },
}
