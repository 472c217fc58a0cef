import { expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { catalog } from '../../src/catalog.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import { validInput } from '../../src/kernel/validate.ts'
import type { LookupSource } from '../../src/surfaces/lookups.ts'
import { convertInput } from '../../src/surfaces/mcp/convert.ts'
import { exampleCall } from '../../src/surfaces/mcp/examples.ts'
import type { FieldSchema } from '../../src/surfaces/mcp/field-schema.ts'
import { INSTRUCTIONS, TOOLS } from '../../src/surfaces/mcp/names.ts'
import { resolveNames } from '../../src/surfaces/mcp/resolve-names.ts'
import {
  HINTS,
  RARELY_SENT,
  REPLACED,
  SHOWN_AS,
  SHOWN_IN,
} from '../../src/surfaces/mcp/shown-fields.ts'
import { ToolLists, toolsOf } from '../../src/surfaces/mcp/tools.ts'

const tools = toolsOf(catalog)
const list = new ToolLists(tools).for(new Set(SCOPES))
const NAMES = Object.keys(TOOLS)

/** The list is part of every conversation. */
const MAX_TOKENS = 5600

test('the tool list has at most 5,600 tokens', () => {
  const costs = list.map((tool) => [tool.name, countTokens(JSON.stringify(tool))] as const)
  const total = countTokens(JSON.stringify(list))
  const average = (total / costs.length).toFixed(1)
  console.log(`tools/list: ${total} tokens, ${average} a tool (${costs.join(' ')})`)
  expect(total).toBeLessThanOrEqual(MAX_TOKENS)
})

test('the instructions are shorter than the 2,048 characters that clients show', () => {
  expect(INSTRUCTIONS.length).toBeLessThan(2048)
})

test('the instructions explain how to claim, keep and hand over a task, and name only existing tools', () => {
  const workflow = ['"claim":true', 'claim, heartbeat and release', 'hand_over']
  for (const words of [...workflow, 'playbook', 'hello', 'comments'])
    expect(INSTRUCTIONS).toContain(words)
  const named = [...INSTRUCTIONS.matchAll(/\bsvc_[a-z_]+/g)].map(([name]) => name)
  expect(named.filter((name) => !NAMES.includes(name))).toEqual([])
})

test('all 20 tools are listed in a fixed order', () => {
  const order =
    'projects user_context comments tasks drafts pages sections views skills inbox time agents ' +
    'attachments custom_fields decision_requests labels feedback reports search webhooks'
  expect(list.map(({ name }) => name)).toEqual(order.split(' ').map((name) => `svc_${name}`))
  expect(NAMES).toHaveLength(20)
})

test('no description has more than 1,024 characters, and every tool has a short title', () => {
  for (const { description, title } of list) {
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(title).toMatch(/^[A-Z][a-z ]{1,20}$/)
  }
})

test('the description of a tool names the required fields of its actions', () => {
  const skills = list.find(({ name }) => name === 'svc_skills')!
  expect(skills.description.split('\n')).toEqual([
    'Reusable instructions',
    'get, update, delete: skill_id',
    'import: url',
  ])
  for (const { name, description, inputSchema } of list) {
    const lines = description.split('\n').slice(1)
    for (const [action, op] of tools.get(name)!) {
      const line = lines.find((one) => one.split(': ')[0]!.split(', ').includes(action))
      const listed = line?.split(': ')[1] ?? ''
      for (const field of op.input.required ?? [])
        expect([name, action, listed.split(/, | or | and /)]).toEqual([
          name,
          action,
          expect.arrayContaining([field]),
        ])
    }
    const shown = Object.keys(inputSchema.properties.input?.properties ?? {})
    for (const line of lines)
      for (const field of line.split(': ')[1]!.match(/\w+_\w+/g) ?? [])
        expect(shown).toContain(field)
  }
})

test('an action has a type, and its tool lists every action once', () => {
  for (const { name, inputSchema } of list) {
    const { action } = inputSchema.properties
    expect(action.type).toBe('string')
    expect(action.enum).toEqual([...tools.get(name)!.keys()])
    expect(inputSchema.required).toEqual(['action'])
  }
})

/** Types that every client knows. Google's API refuses choices that are not texts. */
const KEYWORDS = ['type', 'description', 'enum', 'format', 'minimum', 'maximum']

function problemsOf(path: string, schema: FieldSchema): string[] {
  const { type, items, properties, required } = schema
  const problems: string[] = []
  const isLeaf = ['string', 'integer', 'number', 'boolean'].includes(type)
  if (!isLeaf && !(type === 'array' && items) && !(type === 'object' && properties))
    problems.push(`${path} has the type ${type}`)
  for (const keyword of Object.keys(schema))
    if (![...KEYWORDS, 'items', 'properties', 'required'].includes(keyword))
      problems.push(`${path} has ${keyword}`)
  if (schema.enum && (type !== 'string' || schema.enum.some((one) => typeof one !== 'string')))
    problems.push(`${path} has choices that are not texts`)
  if (schema.format && schema.format !== 'date-time') problems.push(`${path}: ${schema.format}`)
  for (const name of required ?? [])
    if (!properties?.[name]) problems.push(`${path} requires ${name}, which it does not show`)
  if (items) problems.push(...problemsOf(`${path}[]`, items))
  for (const [name, inner] of Object.entries(properties ?? {}))
    problems.push(...problemsOf(`${path}.${name}`, inner))
  return problems
}

test('every field has one type that all clients know, without alternatives', () => {
  const problems = list.flatMap(({ name, inputSchema }) => {
    expect(Object.keys(inputSchema)).toEqual(['type', 'properties', 'required'])
    return problemsOf(name, inputSchema as FieldSchema)
  })
  expect(problems).toEqual([])
})

test('the check of types finds alternatives, open objects and other formats', () => {
  const bad = {
    type: 'object',
    properties: {
      a: { anyOf: [{ type: 'string' }] },
      b: { type: 'object' },
      c: { type: 'string', format: 'date' },
      d: { type: 'integer', enum: [1] },
    },
  } as unknown as FieldSchema
  expect(problemsOf('x', bad)).toHaveLength(5)
})

test('every field of every action is shown, or something shown replaces it', () => {
  for (const [tool, actions] of tools) {
    const { properties } = list.find(({ name }) => name === tool)!.inputSchema
    const shown = Object.keys(properties.input?.properties ?? {})
    for (const [action, op] of actions)
      for (const field of Object.keys(op.input.properties)) {
        const isKnown =
          shown.includes(field) ||
          field in REPLACED ||
          `${tool}.${field}` in REPLACED ||
          RARELY_SENT.some((name) => name === field || name === `${tool}.${field}`) ||
          field in SHOWN_IN
        expect({ tool, action, field, isKnown }).toMatchObject({ isKnown: true })
      }
  }
})

test('what is said about fields of the list is about fields that exist', () => {
  const paths = new Set<string>()
  const collect = (path: string, schema: TSchema) => {
    paths.add(path)
    for (const one of [schema, ...(schema.anyOf ?? [])]) {
      if (one.items) collect(path, one.items)
      for (const [name, inner] of Object.entries<TSchema>(one.properties ?? {})) {
        paths.add(name)
        collect(path ? `${path}.${name}` : name, inner)
      }
    }
  }
  for (const [tool, actions] of tools)
    for (const op of actions.values()) {
      collect('', op.input)
      collect(tool, op.input)
    }
  paths.add('response_format')
  const named = [
    ...Object.keys(REPLACED),
    ...RARELY_SENT,
    ...Object.keys(SHOWN_IN),
    ...Object.keys(SHOWN_AS),
    ...Object.keys(HINTS),
  ]
  expect(named.filter((path) => !paths.has(path))).toEqual([])
})

const fieldOf = (tool: string, path: string): FieldSchema =>
  path.split('.').reduce<FieldSchema>(
    (schema, name) => {
      const inner = schema.items ?? schema
      return inner.properties![name]!
    },
    list.find(({ name }) => name === tool)!.inputSchema.properties.input as FieldSchema,
  )

test('choices, formats and ranges are in the schema', () => {
  const enumOf = (tool: string, path: string) => {
    const field = fieldOf(tool, path)
    return field.enum ?? field.items?.enum
  }
  expect(enumOf('svc_tasks', 'priority')).toEqual(['None', 'Urgent', 'High', 'Medium', 'Low'])
  expect(enumOf('svc_tasks', 'estimate')).toEqual(['none', 'XS', 'S', 'M', 'L', 'XL'])
  expect(fieldOf('svc_tasks', 'recurrence').description).toContain('Biweekly')
  expect(enumOf('svc_tasks', 'relation_type')).toEqual(['RelatedTo', 'BlockedBy', 'BlockedTo'])
  expect(enumOf('svc_tasks', 'status')).toEqual(['Normal', 'Archive', 'Deleted'])
  expect(enumOf('svc_projects', 'kind')).toEqual(expect.arrayContaining(['playbook', 'agent']))
  expect(enumOf('svc_projects', 'sections.role')).toContain('intake')
  expect(enumOf('svc_pages', 'mode')).toEqual(['replace', 'append', 'prepend'])
  expect(enumOf('svc_webhooks', 'events')).toContain('task.assigned')
  expect(enumOf('svc_agents', 'scopes')).toContain('tasks:write')
  expect(enumOf('svc_views', 'board_filters.groups.rules.op')).toContain('within_days')
  expect(fieldOf('svc_tasks', 'created_since').format).toBe('date-time')
  expect(fieldOf('svc_tasks', 'due_date').description).toContain('YYYY-MM-DD')
  expect(fieldOf('svc_tasks', 'depth')).toMatchObject({ minimum: 0, maximum: 20 })
})

/** A value of that type with the same meaning as the example. */
function inType(type: string, example: unknown): unknown {
  if (type === 'integer') return typeof example === 'number' ? example : undefined
  if (type !== 'string') return typeof example === type ? example : undefined
  if (typeof example !== 'object' || example === null) return String(example)
  const [inner] = Object.values(example)
  return inner === undefined ? '{}' : inType(type, inner)
}

/** Values of the type that the list shows: every choice, or the example in that type. */
function valuesOf(schema: FieldSchema, example: unknown): unknown[] {
  const { type, enum: choices, items, description } = schema
  if (choices) return [...choices]
  if (description?.startsWith('JSON')) return [JSON.stringify(example)]
  if (type !== 'array') return [inType(type, example)]
  return [items!.enum ? [...items!.enum] : [example].flat().map((one) => inType(items!.type, one))]
}

const noLookups: LookupSource = {
  list: () => Promise.reject(new Error('a number needs no lookup')),
  find: () => Promise.reject(new Error('a number needs no lookup')),
}

test('every action accepts values of the types that the list shows', async () => {
  const problems: unknown[] = []
  let tried = 0
  for (const { name: tool, inputSchema } of list)
    for (const [action, op] of tools.get(tool)!)
      for (const [field, shown] of Object.entries(inputSchema.properties.input?.properties ?? {})) {
        if (!Object.hasOwn(op.input.properties, field)) continue
        const { input = {} } = exampleCall(action, op, field)
        const outcomes: string[] = []
        for (const value of valuesOf(shown, input[field])) {
          tried++
          expect([tool, action, field, [value].flat()]).not.toContainEqual([undefined])
          const call = convertInput(op, { ...input, [field]: value })
          const resolved = await resolveNames(op, call, noLookups)
          try {
            validInput(op.input, resolved)
            outcomes.push('accepted')
          } catch (error) {
            outcomes.push(`${JSON.stringify(value)}: ${(error as Error).message}`)
          }
        }
        // Some choices belong to another action of the tool.
        const isMerged = tool === 'svc_projects' && field === 'kind'
        const refused = outcomes.filter((outcome) => outcome !== 'accepted')
        if (refused.length && !(isMerged && refused.length < outcomes.length))
          problems.push([tool, action, field, refused])
      }
  expect(problems).toEqual([])
  expect(tried).toBeGreaterThan(400)
})

test('the annotations of each tool state what its actions can do', () => {
  const withHint = (hint: keyof (typeof list)[number]['annotations']) =>
    list.filter(({ annotations }) => annotations[hint]).map(({ name }) => name.slice(4))
  const always = ['readOnlyHint', 'destructiveHint', 'openWorldHint']
  for (const { annotations } of list) {
    const { idempotentHint = true, ...others } = annotations
    expect(idempotentHint).toBe(true)
    expect(Object.keys(others)).toEqual(always)
    expect(Object.values(others).map((hint) => typeof hint)).toEqual(Array(3).fill('boolean'))
  }
  expect(withHint('readOnlyHint')).toEqual(['search'])
  expect(withHint('destructiveHint').join(' ')).toBe(
    'projects comments tasks drafts pages sections views skills agents attachments reports webhooks',
  )
  expect(withHint('idempotentHint')).toEqual(['user_context', 'custom_fields', 'search'])
  expect(withHint('openWorldHint')).toEqual([
    'comments',
    'tasks',
    'skills',
    'attachments',
    'webhooks',
  ])
})

test('the annotations and fields for a token that only reads contain no writing', () => {
  const scopes = SCOPES.filter((scope) => scope.endsWith(':read'))
  const reading = new ToolLists(tools).for(new Set(scopes))
  expect(reading.length).toBeGreaterThan(10)
  for (const { annotations } of reading)
    expect(annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
  const { inputSchema } = reading.find(({ name }) => name === 'svc_tasks')!
  const fields = Object.keys(inputSchema.properties.input!.properties)
  expect(inputSchema.properties.action.enum).not.toContain('create')
  for (const field of ['title', 'claim', 'ttl', 'lease_id', 'recurrence'])
    expect(fields).not.toContain(field)
  expect(fields).toContain('assigned_to')
})

test('the tool list matches the snapshot; bun test -u updates it', () => {
  const summary = list.map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description: description.split('\n'),
    actions: inputSchema.properties.action.enum,
    fields: Object.fromEntries(
      Object.entries(inputSchema.properties.input?.properties ?? {}).map(([field, schema]) => [
        field,
        JSON.stringify(schema),
      ]),
    ),
  }))
  expect(summary).toMatchSnapshot()
})
