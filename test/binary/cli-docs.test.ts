import { afterAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { folder, initiated, type Serving, serving, sweep } from './cork.ts'

const pageOf = (name: string) => Bun.file(join(import.meta.dir, `../../docs/${name}.md`)).text()
const pages = {
  cli: await pageOf('cli'),
  tasks: await pageOf('tasks'),
  agents: await pageOf('agents'),
}
const blocksOf = (page: string) =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)

const servers: Serving[] = []
afterAll(async () => {
  for (const server of servers) await server.end()
  sweep()
})

/** What the commands of a page print, one after another, in a folder of their own. */
async function typed(blocks: readonly string[]) {
  const { data, api_key } = await initiated()
  const server = await serving(data)
  servers.push(server)
  const cwd = folder()
  writeFileSync(join(cwd, 'key.txt'), `${api_key}\n`)
  const script = blocks.join('\n').replaceAll('http://127.0.0.1:3210', server.url)
  expect(script.match(/^ *cork /gm)!.length).toBeGreaterThan(9)
  const run = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: {
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      XDG_CONFIG_HOME: join(cwd, 'settings'),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = [await new Response(run.stdout).text(), await new Response(run.stderr).text()]
  return { cwd, out, err, code: await run.exited }
}

test('the commands of docs/cli.md do what they say, one after another', async () => {
  const { cwd, out, err, code } = await typed(blocksOf(pages.cli))
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('HOM-1  Paint the fence')
  expect(out).toContain('"-5 °C outside"')
  const [mine] = await Bun.file(join(cwd, 'mine.json')).json()
  expect(mine).toMatchObject({ ticket_number: 'HOM-1', section: 'Doing', content_type: 'markdown' })
  expect(existsSync(join(cwd, 'changes.jsonl'))).toBe(true)
}, 60_000)

test('the commands of docs/tasks.md do what they say, one after another', async () => {
  const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
  const { out, err, code } = await typed([signIn, ...blocksOf(pages.tasks)])
  const notes = ['There is nothing to list', 'Keep it now: it is not shown again', '']
  expect([code, err.split('\n')]).toEqual([0, notes])
  for (const line of [
    'HOM-1 is BlockedBy HOM-2',
    'Attached colour.txt (1) to HOM-1',
    'Buy **paint**',
  ])
    expect(out).toContain(line)
}, 60_000)

/** What the examples for programs call besides; where it is missing, they are not run. */
const curled = test.skipIf(!['curl', 'jq'].every((name) => Bun.which(name)))

curled(
  'the commands of docs/agents.md do what they say, one after another',
  async () => {
    const signIn = 'cork login http://127.0.0.1:3210 --token - < key.txt'
    const { cwd, out, err, code } = await typed([signIn, ...blocksOf(pages.agents)])
    expect([code, err]).toEqual([0, 'Keep it now: it is not shown again\n'])
    const { token, client_configuration } = await Bun.file(join(cwd, 'scout.json')).json()
    expect(client_configuration.headers.Authorization).toBe(`Bearer ${token}`)
    for (const line of [
      '"start":"Take work: svc_tasks next',
      '"released":true',
      'comment.created by Ada',
      'Looking for green paint',
      'The shop is closed until Monday',
      'agent.created',
    ])
      expect(out).toContain(line)
  },
  60_000,
)

test('every command that the pages name is one that there is', async () => {
  const named = [
    ...Object.values(pages)
      .join('\n')
      .matchAll(/cork ([a-z]+(?: [a-z][a-z-]+)?)/g),
  ].map(([, words]) => words!)
  const { groupsOf } = await import('../../src/commands/run.ts')
  const { nowhere } = await import('../terminal.ts')
  const known = (await groupsOf(nowhere)).flatMap(({ commands }) => Object.keys(commands))
  const unknown = (words: string) =>
    !known.includes(words.split(' ')[0]!) &&
    !known.some((name) => `${name} `.startsWith(`${words} `))
  expect(named.filter(unknown)).toEqual([])
  expect(['tasks crate', 'taks list'].filter(unknown)).toHaveLength(2)
})
