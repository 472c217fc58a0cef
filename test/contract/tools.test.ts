import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { catalog } from '../../src/catalog.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import { INSTRUCTIONS, TOOLS } from '../../src/surfaces/mcp/names.ts'
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

test('fields that several actions of a tool share are described once, under a name', () => {
  const skills = list.find(({ name }) => name === 'svc_skills')!
  expect(skills.description.split('\n')).toEqual([
    'Reusable instructions',
    'list: project_id, cursor, query, sort',
    'get, delete: skill_id*',
    'create: more, scope, project_id',
    'update: skill_id*, more',
    'import: url*, slugs, scope, project_id, dry_run',
    'more = name, slug, description, body, argument_hint, enabled, markdown',
  ])
})

test('every schema is one flat object without alternatives, and every action is described', () => {
  for (const { name, inputSchema, description } of list) {
    const { action } = inputSchema.properties
    expect(Object.keys(inputSchema).sort()).toEqual(['properties', 'required', 'type'])
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|\$ref|const)"/)
    expect(action.enum.length).toBeGreaterThan(0)
    expect(new Set(action.enum).size).toBe(action.enum.length)
    const describedActions = description
      .split('\n')
      .flatMap((line) => line.split(': ')[0]!.split(', '))
    expect(describedActions).toEqual(expect.arrayContaining(action.enum))
    expect(name).toMatch(/^svc_[a-z_]+$/)
  }
})

/** Aliases of `query` and `sort`, and `fields`, which the instructions explain for every list. */
const NOT_DESCRIBED = ['search', 'sort_by', 'sort_order', 'fields']

test('every field of every action is named in the schema or the description', () => {
  for (const { name, description, inputSchema } of list)
    for (const [action, op] of tools.get(name)!)
      for (const field of Object.keys(op.input.properties)) {
        const known =
          NOT_DESCRIBED.includes(field) ||
          field in inputSchema.properties ||
          new RegExp(`\\b${field}\\b`).test(description)
        expect({ name, action, field, known }).toMatchObject({ known: true })
      }
})

test('the tool list matches the snapshot; bun test -u updates it', () => {
  const summary = list.map(({ name, description, inputSchema }) => ({
    name,
    description: description.split('\n'),
    actions: inputSchema.properties.action.enum,
  }))
  expect(summary).toMatchSnapshot()
})
