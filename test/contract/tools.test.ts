import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { catalog } from '../../src/catalog.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import { INSTRUCTIONS, TOOLS } from '../../src/surfaces/mcp/names.ts'
import { ToolLists, toolsOf } from '../../src/surfaces/mcp/tools.ts'

const tools = toolsOf(catalog)
const list = new ToolLists(tools).for(new Set(SCOPES))
const NAMES = Object.keys(TOOLS)

/** What a tool may cost, on average, in every conversation that lists it. */
const MOST_TOKENS = 175

test('a tool costs its reader fewer than 175 tokens on average', () => {
  const costs = list.map((tool) => [tool.name, countTokens(JSON.stringify(tool))] as const)
  const total = costs.reduce((sum, [, cost]) => sum + cost, 0)
  const average = total / costs.length
  console.log(`tools/list: ${total} tokens, ${average.toFixed(1)} a tool (${costs.join(' ')})`)
  expect(average).toBeLessThan(MOST_TOKENS)
})

test('the instructions fit where clients cut them', () => {
  expect(INSTRUCTIONS.length).toBeLessThan(2048)
})

test('the instructions teach the way of a task: claim it, work, write, let it go', () => {
  const taught = ['"claim":true', 'POST /api/mcp/tasks/lease/claim', '/heartbeat', '/release']
  for (const words of [...taught, 'playbook', 'hello', 'comments'])
    expect(INSTRUCTIONS).toContain(words)
  const named = [...INSTRUCTIONS.matchAll(/\bsvc_[a-z_]+/g)].map(([name]) => name)
  expect(named.filter((name) => !NAMES.includes(name))).toEqual([])
})

test('20 tools have a place, and those with actions are listed in it', () => {
  expect(NAMES).toHaveLength(20)
  expect(list.map(({ name }) => name)).toEqual(NAMES.filter((name) => tools.has(name)))
})

test('every schema is one flat object that clients can read', () => {
  for (const { name, inputSchema, description } of list) {
    const { action } = inputSchema.properties
    expect(Object.keys(inputSchema).sort()).toEqual(['properties', 'required', 'type'])
    expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|\$ref|const)"/)
    expect(action.enum.length).toBeGreaterThan(0)
    expect(new Set(action.enum).size).toBe(action.enum.length)
    const told = description.split('\n').flatMap((line) => line.split(': ')[0]!.split(', '))
    expect(told).toEqual(expect.arrayContaining(action.enum))
    expect(name).toMatch(/^svc_[a-z_]+$/)
  }
})

/** Second ways to say `query` and `sort`, and what the instructions tell for every list. */
const UNTOLD = ['search', 'sort_by', 'sort_order', 'fields']

test('every field of every action is named in the description', () => {
  for (const { name, description, inputSchema } of list)
    for (const [action, op] of tools.get(name)!)
      for (const field of Object.keys(op.input.properties)) {
        const known =
          UNTOLD.includes(field) ||
          field in inputSchema.properties ||
          new RegExp(`\\b${field}\\b`).test(description)
        expect({ name, action, field, known }).toMatchObject({ known: true })
      }
})

test('the list is the one that was agreed; bun test -u agrees to another', () => {
  const terse = list.map(({ name, description, inputSchema }) => ({
    name,
    description: description.split('\n'),
    actions: inputSchema.properties.action.enum,
  }))
  expect(terse).toMatchSnapshot()
})
