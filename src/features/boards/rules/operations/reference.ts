import { type Static, Type as t } from '@sinclair/typebox'
import {
  ACTIONS,
  PARAMS,
  type Param,
  type Part,
  PLACEHOLDERS,
  SET_FIELDS,
  TRIGGERS,
  WATCHED_FIELDS,
} from '../../../../kernel/board-rules.ts'
import { operation } from '../../../../kernel/operation.ts'
import { FILTER_FIELDS, OPS } from '../../../search/filters/model/index.ts'
import { BoardFilters } from '../../views/model/index.ts'
import { Action, When } from '../model/schema.ts'

const Parts = t.Array(
  t.Object({
    name: t.String({ description: 'The value of event, or of do' }),
    meaning: t.String({ description: 'What it is, with the names of its fields' }),
    needs: t.Array(t.String(), { description: 'Fields that it requires' }),
    takes: t.Array(t.String(), { description: 'Optional fields' }),
  }),
)
const Names = (description: string) => t.Array(t.String(), { description })

const Reference = t.Object({
  events: Parts,
  actions: Parts,
  fields: t.Array(t.Object({ name: t.String(), meaning: t.String() }), {
    description: 'Fields of events and actions',
  }),
  condition_fields: Names('Built-in fields of conditions; custom fields have their name or id'),
  condition_ops: Names('Comparison operators of conditions'),
  placeholders: Names('What {{…}} in titles and texts can name'),
  examples: t.Array(t.Object({ when: When, conditions: BoardFilters, actions: t.Array(Action) }), {
    description: 'Definitions to begin with',
  }),
})

export const reference = operation({
  name: 'rules.reference',
  summary: 'What rules consist of: events, conditions and actions, with examples',
  needs: 'projects:read',
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/rules/reference',
    mcp: 'svc_projects.rule_reference',
    cli: { usage: 'rules reference', example: '' },
    chat: true,
  },
  input: t.Object({}),
  output: Reference,
  run: async () => REFERENCE,
})

/** In the meaning of a part, the names of its fields stand for their values. */
const partsOf = (parts: Readonly<Record<string, Part>>) =>
  Object.entries(parts).map(([name, { needs, takes, phrase }]) => {
    // A phrase has either a value or days.
    const params = [...needs, ...takes].filter((param) => param !== 'days')
    const words = Object.fromEntries(params.map((param) => [param, param]))
    return { name, meaning: phrase(words), needs: [...needs], takes: [...takes] }
  })

const FIELDS: Readonly<Record<Param, string>> = {
  section_id: 'id of a column of the board',
  label_id: 'id of a label of the board',
  who: 'user id, UUID of an agent, me or a name; notify also takes assignees and creator',
  field: [
    `events take ${WATCHED_FIELDS.join(', ')}`,
    `actions take ${SET_FIELDS.join(', ')}`,
    'both take cf: followed by the field_id of a custom field',
  ].join('; '),
  value: 'value of the field, such as 1 for the priority Urgent; null clears it',
  days: 'instead of value: sets a date to so many days from now',
  title: 'title of the new task',
  text: 'markdown; comment_contains takes the text to find',
  webhook_id: 'id of a webhook of the board',
}

const EXAMPLES: Static<typeof Reference>['examples'] = [
  {
    when: { event: 'task_moved', section_id: 12 },
    conditions: {
      groups: [
        { rules: [{ field: 'label', op: 'is', value: 'bug' }] },
        {
          match: 'ANY',
          rules: [
            { field: 'priority', op: 'any_of', value: ['Urgent', 'High'] },
            { field: 'due_date', op: 'within_days', value: 2 },
          ],
        },
      ],
    },
    actions: [
      { do: 'assign', who: 'Ben' },
      { do: 'comment', text: 'Please look at {{task.key}}' },
    ],
  },
  {
    when: { event: 'overdue' },
    conditions: { groups: [] },
    actions: [
      { do: 'set_field', field: 'due_date', days: 2 },
      { do: 'notify', who: 'assignees', text: '{{task.key}} is late' },
    ],
  },
]

const REFERENCE: Static<typeof Reference> = {
  events: partsOf(TRIGGERS),
  actions: partsOf(ACTIONS),
  fields: PARAMS.map((name) => ({ name, meaning: FIELDS[name] })),
  condition_fields: [...FILTER_FIELDS],
  condition_ops: [...OPS],
  placeholders: [...PLACEHOLDERS],
  examples: EXAMPLES,
}
