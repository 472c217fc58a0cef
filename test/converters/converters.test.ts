import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { catalog } from '../../src/catalog.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import { ToolLists, toolsOf } from '../../src/surfaces/mcp/tools.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { runOrThrow } from '../support/commands.ts'
import { installPackages } from '../support/python.ts'

interface Schema {
  type: string
  description?: string
  enum?: string[]
  items?: Schema
  properties?: Record<string, Schema>
}
interface Converted {
  gemini: { name: string; description: string; parameters: Schema }[]
  openai: { name: string; description: string; strict: boolean; schema: Schema }[]
  openai_strict: Converted['openai']
}
type ListedTool = { name: string; description: string; inputSchema: Schema }

const MINUTES = 60_000
const lists = new ToolLists(toolsOf(catalog))
const listFor = (scopes: readonly (typeof SCOPES)[number][]): ListedTool[] =>
  JSON.parse(JSON.stringify(lists.for(new Set(scopes))))

let python = ''
beforeAll(async () => {
  const requirements = join(import.meta.dir, 'requirements.txt')
  python = join(await installPackages(createFolder(), requirements, 'converters'), 'python')
}, 10 * MINUTES)
afterAll(cleanUp)

const convert = async (tools: readonly ListedTool[]): Promise<Converted> => {
  const script = join(import.meta.dir, 'convert.py')
  return JSON.parse(await runOrThrow([python, script], JSON.stringify(tools)))
}

/** Only types, choices and descriptions, which are what a model needs. */
const essence = ({ type, description, enum: choices, items, properties }: Schema): unknown => ({
  type: type.toLowerCase(),
  ...(description && { description }),
  ...(choices && { choices }),
  ...(items && { items: essence(items) }),
  ...(properties && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, essence(schema)]),
    ),
  }),
})

for (const [granted, scopes] of [
  ['every scope', SCOPES],
  ['read scopes', SCOPES.filter((scope) => scope.endsWith(':read'))],
  ['one scope', ['profile:read']],
] as const)
  test(
    `the tools of a token with ${granted} keep every field in the converters of Google and OpenAI`,
    async () => {
      const tools = listFor(scopes)
      const expected = tools.map(({ name, inputSchema }) => [name, essence(inputSchema)])
      const { gemini, openai, openai_strict } = await convert(tools)
      expect(gemini.map(({ name, parameters }) => [name, essence(parameters)])).toEqual(expected)
      expect(openai.map(({ name, schema }) => [name, essence(schema)])).toEqual(expected)
      expect(openai_strict.map(({ name, schema }) => [name, essence(schema)])).toEqual(expected)
      expect(openai_strict.filter(({ strict }) => !strict).map(({ name }) => name)).toEqual([])
      const descriptions = tools.map(({ description }) => description)
      expect(gemini.map(({ description }) => description)).toEqual(descriptions)
      expect(openai.map(({ description }) => description)).toEqual(descriptions)
    },
    MINUTES,
  )

test(
  'the comparison finds an input without fields and a field with alternatives',
  async () => {
    const [tool] = listFor(['profile:read'])
    const withInput = (input: object) => ({
      ...tool!,
      inputSchema: { type: 'object', properties: { input: input as Schema } },
    })
    const { openai_strict, gemini } = await convert([
      withInput({ type: 'object' }),
      withInput({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    ])
    expect(openai_strict[0]!.strict).toBe(false)
    expect(gemini[1]!.parameters.properties!.input!.type).toBeUndefined()
  },
  MINUTES,
)
