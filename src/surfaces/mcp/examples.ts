import type { TSchema } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { alternativesOf, matchWord } from '../../kernel/respell.ts'
import { closestWord } from '../../kernel/validate.ts'
import type { ResolvedCall, ToolCall } from './arguments.ts'
import { requiredFields } from './schema.ts'
import { isReplaced } from './shown-fields.ts'

type Fields = Record<string, unknown>

/** A call as a model writes it. */
interface ExampleCall extends Fields {
  action?: string
  input?: Fields
}

/** What an example changes, where no field is required. */
const TYPICAL: Record<string, string> = {
  'tasks.update': 'section_id',
  'pages.update': 'content',
  'sections.update': 'title',
  'views.update': 'title',
  'skills.update': 'body',
  'skills.create': 'markdown',
  'reports.update': 'title',
  'user_context.update_profile': 'display_name',
  'projects.set_playbook': 'working_rules',
  'webhooks.configure': 'url',
  'custom_fields.update': 'name',
  'rules.update': 'enabled',
}

/** A valid call of the same action, or of the one that was probably meant. */
export function exampleFor(call: ResolvedCall | ToolCall, field: string): ExampleCall {
  if ('op' in call) return exampleCall(call.action, call.op, field)
  const { target, raw } = call
  if (!(target instanceof Map)) return exampleCall(undefined, target as AnyOperation, field)
  const names: string[] = [...target.keys()]
  const typed = String(raw.action)
  const action = matchWord(typed, names) ?? closestWord(typed, names) ?? names[0]!
  return exampleCall(action, target.get(action)!, field)
}

const TOP_LEVEL: Fields = { limit: 20, offset: 20, response_format: 'detailed' }

/**
 * A valid call of an action: the fields that it requires, and the one that was refused. `action` is
 * undefined for the tools without actions.
 */
export function exampleCall(
  action: string | undefined,
  op: AnyOperation,
  refused?: string,
): ExampleCall {
  const name = refused?.split('.')[0] ?? ''
  const { properties } = op.input
  const required = requiredFields(op).map((choice) => choice.split(/,? or /)[0]!)
  const isShown = Object.hasOwn(properties, name) && !isReplaced(name) && !(name in TOP_LEVEL)
  const further = isShown ? name : TYPICAL[op.name]
  const names = new Set([...required, ...(further ? [further] : [])])
  const input = Object.fromEntries([...names].map((field) => [field, fieldValue(op, field)]))
  const beside = Object.hasOwn(TOP_LEVEL, name) ? { [name]: TOP_LEVEL[name] } : {}
  if (action === undefined) return { ...input, ...beside }
  return { action, ...(names.size && { input }), ...beside }
}

const AGENT = '6f1c9a52-3d0b-4c6e-9a52-7c1d2e3f4a5b'

/** Values that say more than what follows from the type. */
const VALUES: Record<string, unknown> = {
  project_id: 7,
  target_project_id: 8,
  section_id: 12,
  task_id: 345,
  ticket_number: 'OPS-12',
  ticket_numbers: ['OPS-12', 'OPS-13'],
  source_ticket_number: 'OPS-12',
  target_ticket_number: 'OPS-13',
  task_identifier: 'OPS-12',
  unique_index: 12,
  lease_id: '0b9d7e1c-5a42-4f0e-8f3b-2c6d1a9e4f70',
  agent_id: AGENT,
  view_id: AGENT,
  field_id: AGENT,
  rule_id: AGENT,
  team_id: 1,
  title: 'Fix the gate',
  text: 'The hinge is bent.',
  content: 'The hinge is bent.',
  body: 'Measure twice.',
  markdown: '---\nname: Measure\ndescription: Before cutting\n---\nMeasure twice.',
  name: 'Scout',
  color: '#d97706',
  slug: 'weekly-status',
  slugs: ['weekly-status'],
  estimate: 3,
  priority: 'High',
  due_date: '2026-12-01',
  start_date: '2026-11-30',
  recurrence: 'FREQ=MONTHLY;BYDAY=2FR',
  date: '2026-11-30',
  from: '2026-11-01',
  to: '2026-11-30',
  created_since: '2026-11-01T00:00:00Z',
  updated_since: '2026-11-01T00:00:00Z',
  due_date_after: '2026-11-01',
  due_date_before: '2026-12-01',
  labels: ['bug'],
  assigned_to: 'me',
  query: 'broken gate',
  sort: 'createdAt',
  ttl: 600_000,
  question: 'Which hinge?',
  options: ['Steel', 'Brass'],
  selected_option: 'Steel',
  value: 5,
  field_name: 'Points',
  tool: 'svc_tasks',
  errorCode: 'out_of_range',
  url: 'https://example.com/hook',
  filename: 'notes.txt',
  content_type: 'text/plain',
  data: 'aGVsbG8=',
  member_identifier: 'ben@example.com',
  time_zone: 'Europe/Berlin',
  locale: 'en',
  status: 200,
  when: { event: 'task_completed' },
  conditions: { groups: [{ rules: [{ field: 'label', op: 'is', value: 'bug' }] }] },
  actions: [{ do: 'comment', text: 'Done: {{task.title}}' }],
  board_filters: { groups: [{ rules: [{ field: 'label', op: 'is', value: 'bug' }] }] },
}

/** A field of the records of a list, in place of one that they may not have. */
const listedField = ({ output }: AnyOperation): string => {
  const fields = Object.keys(output.properties.items.items.properties)
  return fields.includes('title') ? 'title' : fields[0]!
}

function fieldValue(op: AnyOperation, field: string): unknown {
  if (field === 'fields' && op.output.list) return listedField(op)
  return OWN_VALUES[op.name]?.[field] ?? exampleValue(field, op.input.properties[field])
}

/** Values of single operations. */
const OWN_VALUES: Record<string, Fields> = {
  'tasks.hand_over': { to: 'owner', note: 'The gate is mended. Please oil the hinge.' },
}

function exampleValue(name: string, schema: TSchema): unknown {
  const alternatives = alternativesOf(schema)
  const known = VALUES[name]
  const fitting = alternatives.find((one) => fits(one, known))
  return fitting ? known : valueFor(name, alternatives[0] ?? schema)
}

function fits({ type, const: constant, items, pattern }: TSchema, value: unknown): boolean {
  if (constant !== undefined) return constant === value
  if (Array.isArray(value))
    return type === 'array' && alternativesOf(items).some((one) => fits(one, value[0]))
  if (typeof value === 'number') return type === 'integer' || type === 'number'
  if (typeof value === 'string' && pattern) return type === 'string' && RegExp(pattern).test(value)
  return type === typeof value
}

function valueFor(name: string, schema: TSchema): unknown {
  const { type, const: constant, items, properties, required, minimum = 1, anyOf } = schema
  if (constant !== undefined) return constant
  if (type === 'array') return [exampleValue(name, items)]
  if (type === 'object' && properties) {
    const names: string[] = required ?? Object.keys(properties).slice(0, 1)
    return Object.fromEntries(names.map((inner) => [inner, exampleValue(inner, properties[inner])]))
  }
  if (type === 'object') return {}
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1)
  return type === 'null' || (anyOf && !type) ? null : 'Kitchen'
}
