import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { groupOf } from '../../src/chat/tools/groups.ts'
import { noUndo, toolsFor } from '../../src/chat/tools/index.ts'
import { type Caller, SCOPES } from '../../src/kernel/caller.ts'
import { type AnyOperation, isWrite, toArray } from '../../src/kernel/operation.ts'

const operations: readonly AnyOperation[] = catalog
const caller = { kind: 'person', scopes: new Set(SCOPES) } as unknown as Caller
const tools = toolsFor(catalog, caller)

const actions = ({ on }: AnyOperation) => toArray(on.mcp).filter((name) => name.includes('.'))
const overMcp = operations.filter((op) => actions(op).length)

/** MCP actions that a chat does not have, with the reason. */
const WITHOUT: Record<string, string> = {
  'user_context.hello': 'a chat starts with the same data',
  'time.report': 'a report is read in the app',
  'tasks.assign': 'use tasks_assign_to and tasks_unassign instead',
  'agents.create': 'its token is shown once, to a person',
  'webhooks.configure': 'its secret is shown once, to a person',
  'webhooks.rotate': 'its secret is shown once, to a person',
}

test('a chat has no tools for hello and the time report', () => {
  for (const name of ['user_context_hello', 'time_report']) expect(tools.has(name)).toBe(false)
})

test('a chat has every MCP action except a listed few, such as those that show a secret', () => {
  const without = overMcp.filter(({ on }) => on.chat !== true).map(({ name }) => name as string)
  expect(without.sort()).toEqual(Object.keys(WITHOUT).sort())
})

test('editing a comment, unassigning and each timer action are separate tools', () => {
  const alone = ['start', 'stop', 'pause', 'resume', 'status', 'running', 'log']
  for (const name of [
    ...['comments_update', 'comments_add', 'tasks_assign_to', 'tasks_unassign'],
    ...alone.map((action) => `time_${action}`),
  ])
    expect([name, tools.get(name)?.schema.additionalProperties]).toEqual([name, false])
})

test('only a chat has tools to add or remove one label, assign by name and create several tasks', () => {
  const only = operations.filter(({ on }) => on.chat && !toArray(on.rest).length)
  expect(only.map(({ name }) => name).sort()).toEqual([
    ...['tasks.add_label', 'tasks.assign_to', 'tasks.create_many', 'tasks.remove_label'],
    'tasks.unassign',
  ])
  const several = [...tools.values()].filter(
    ({ schema }) => 'ticket_numbers' in Object(schema.properties),
  )
  expect(several.map(({ name }) => name).sort()).toEqual([
    ...['tasks_add_label', 'tasks_assign_to', 'tasks_remove_label', 'tasks_unassign'],
    'tasks_update_many',
  ])
})

/** Both tables of docs/chat-tools.md, as the catalog defines them. */
function tables(): string[] {
  const asks = (op: AnyOperation) =>
    op.destroys === true ? 'always' : op.destroys ? 'depends on the input' : 'unless allowed'
  const back = (name: string) => (noUndo(tools.get(name)!) ? 'no' : 'yes')
  const row = ([name, { op }]: [string, { op: AnyOperation }]) => {
    const [asked, undone] = isWrite(op) ? [asks(op), back(name)] : ['', '']
    const mcp = actions(op)[0]?.replace('.', ' ')
    return `| ${groupOf(op.name)} | \`${name}\` | ${mcp ? `\`${mcp}\`` : ''} | ${asked} | ${undone} |`
  }
  const rows = [...tools].map((one) => row(one)).sort()
  const reasons = overMcp
    .filter(({ name }) => WITHOUT[name])
    .map((op) => `| \`${actions(op)[0]!.replace('.', ' ')}\` | ${WITHOUT[op.name]} |`)
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
  const told = text.split('\n').filter((line) => line.startsWith('|'))
  const rows = tables().flatMap((table) => table.split('\n'))
  expect(rows.filter((row) => !told.includes(row))).toEqual([])
  const stale = told.filter((line) => /^\| (\w+ \| `|`svc_)/.test(line) && !rows.includes(line))
  expect(stale, 'Meant so? Run this test again with CORK_UPDATE=1').toEqual([])
})
