import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { groupOf } from '../../src/chat/tools/groups.ts'
import { toolsFor } from '../../src/chat/tools/index.ts'
import { UNDO_RULES } from '../../src/chat/tools/undo/index.ts'
import { type Caller, SCOPES } from '../../src/kernel/caller.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'
import { samples } from '../support/samples.ts'

const operations: readonly AnyOperation[] = catalog
const caller = { kind: 'person', scopes: new Set(SCOPES) } as unknown as Caller
const tools = toolsFor(catalog, caller)

const actions = ({ on }: AnyOperation) => toArray(on.mcp).filter((name) => name.includes('.'))
const mcpOperations = operations.filter((op) => actions(op).length)

test('a chat has no tools for hello and the time report', () => {
  for (const name of ['user_context_hello', 'time_report']) expect(tools.has(name)).toBe(false)
})

test('a chat has every MCP action except a listed few, such as those that show a secret', () => {
  const excluded = mcpOperations
    .filter(({ on }) => on.chat !== true)
    .map(({ name }) => name as string)
  const expected = operations.filter(({ name }) => samples[name]!.notInChat)
  expect(excluded).toEqual(expected.map(({ name }) => name))
})

test('editing a comment, unassigning and each timer action are separate tools', () => {
  const timerActions = ['start', 'stop', 'pause', 'resume', 'status', 'running', 'log']
  for (const name of [
    ...['comments_update', 'comments_add', 'tasks_assign_to', 'tasks_unassign'],
    ...timerActions.map((action) => `time_${action}`),
  ])
    expect([name, tools.get(name)?.schema.additionalProperties]).toEqual([name, false])
})

test('only a chat has tools to add or remove one label and to assign several tasks by name', () => {
  const chatOnly = operations.filter(({ on }) => on.chat && !toArray(on.rest).length)
  expect(chatOnly.map(({ name }) => name).sort()).toEqual([
    ...['tasks.add_label', 'tasks.assign_to', 'tasks.remove_label', 'tasks.unassign'],
  ])
  const multiTaskTools = [...tools.values()].filter(
    ({ schema }) => 'ticket_numbers' in Object(schema.properties),
  )
  expect(multiTaskTools.map(({ name }) => name).sort()).toEqual([
    ...['tasks_add_label', 'tasks_assign_to', 'tasks_remove_label', 'tasks_unassign'],
    'tasks_update_many',
  ])
})

/** Builds both tables of docs/chat-tools.md from the catalog. */
function tables(): string[] {
  const approvalText = (op: AnyOperation) =>
    op.destroys === true ? 'always' : op.destroys ? 'depends on the input' : 'unless allowed'
  const undoText = (op: AnyOperation) => (typeof UNDO_RULES[op.name] === 'string' ? 'no' : 'yes')
  const row = ([name, { op }]: [string, { op: AnyOperation }]) => {
    const [approval, undo] = isWrite(op) ? [approvalText(op), undoText(op)] : ['', '']
    const mcp = actions(op)[0]?.replace('.', ' ')
    return `| ${groupOf(op.name)} | \`${name}\` | ${mcp ? `\`${mcp}\`` : ''} | ${approval} | ${undo} |`
  }
  const rows = [...tools].map((entry) => row(entry)).sort()
  const reasons = mcpOperations
    .filter(({ name }) => samples[name]!.notInChat)
    .map((op) => `| \`${actions(op)[0]!.replace('.', ' ')}\` | ${samples[op.name]!.notInChat} |`)
  return [
    ['| group | tool | over MCP | asks | undone |', '|---|---|---|---|---|', ...rows].join('\n'),
    ['| over MCP | why not in a chat |', '|---|---|', ...reasons].join('\n'),
  ]
}

test('docs/chat-tools.md lists exactly the tools of a chat and the MCP actions that it lacks', async () => {
  const file = Bun.file(new URL('../../docs/chat-tools.md', import.meta.url))
  let text = await file.text()
  if (process.env.CORK_UPDATE) {
    for (const table of tables()) {
      const head = table.slice(0, table.indexOf('\n'))
      const begin = text.indexOf(head)
      const end = text.indexOf('\n\n', begin)
      text = text.slice(0, begin) + table + text.slice(end < 0 ? text.length : end)
    }
    await file.write(text)
  }
  const documentedLines = text.split('\n').filter((line) => line.startsWith('|'))
  const rows = tables().flatMap((table) => table.split('\n'))
  expect(rows.filter((row) => !documentedLines.includes(row))).toEqual([])
  const stale = documentedLines.filter(
    (line) => /^\| (\w+ \| `|`svc_)/.test(line) && !rows.includes(line),
  )
  expect(stale, 'To update docs/chat-tools.md, run this test with CORK_UPDATE=1').toEqual([])
})
