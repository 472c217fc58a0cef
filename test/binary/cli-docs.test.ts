import { afterAll, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { folder, initiated, type Serving, serving, sweep } from './cork.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/cli.md')).text()
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!)

let server: Serving | undefined
afterAll(async () => {
  await server?.end()
  sweep()
})

test('the commands of docs/cli.md do what they say, one after another', async () => {
  const { data, api_key } = await initiated()
  server = await serving(data)
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
  expect([await run.exited, err]).toEqual([0, ''])
  expect(out).toContain('HOM-1  Paint the fence')
  expect(out).toContain('"-5 °C outside"')
  const [mine] = await Bun.file(join(cwd, 'mine.json')).json()
  expect(mine).toMatchObject({ ticket_number: 'HOM-1', section: 'Doing', content_type: 'markdown' })
  expect(existsSync(join(cwd, 'changes.jsonl'))).toBe(true)
}, 60_000)

test('every command that docs/cli.md names is one that there is', async () => {
  const named = [...page.matchAll(/cork ([a-z]+(?: [a-z][a-z-]+)?)/g)].map(([, words]) => words!)
  const { groupsOf } = await import('../../src/commands/run.ts')
  const { nowhere } = await import('../terminal.ts')
  const known = (await groupsOf(nowhere)).flatMap(({ commands }) => Object.keys(commands))
  const unknown = (words: string) =>
    !known.includes(words.split(' ')[0]!) &&
    !known.some((name) => `${name} `.startsWith(`${words} `))
  expect(named.filter(unknown)).toEqual([])
  expect(['tasks crate', 'taks list'].filter(unknown)).toHaveLength(2)
})
