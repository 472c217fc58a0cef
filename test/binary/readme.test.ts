import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanUp, cork, createFolder, type RunningServer, startServer } from './cork.ts'

const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text()
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) =>
  block!.replaceAll('\\\n', ' '),
)
const lines = blocks.join('\n\n').split('\n').filter(Boolean)

let server: RunningServer | undefined
afterAll(async () => {
  await server?.end()
  cleanUp()
})

/** The path, body and headers that a curl command sends. */
function parseCurl(command: string) {
  const address = /http:\/\/127\.0\.0\.1:3210(\S*)/.exec(command)!
  const body = /-d '([^']*)'/.exec(command)?.[1]
  const headers = [...command.matchAll(/-H "([^"]*)"/g)].map(
    ([, header]) => header!.split(': ') as [string, string],
  )
  return { path: address[1]!, body, headers: Object.fromEntries(headers) as Record<string, string> }
}

test('the commands of the README work, run one after another', async () => {
  const data = join(createFolder(), 'data')
  const init = lines.find((line) => line.startsWith('dist/cork init'))!
  const result = await cork([...init.split(' ').slice(1), '--data', data])
  expect([result.code, result.err]).toEqual([0, ''])
  const { api_key } = JSON.parse(result.out)
  server = await startServer(data)
  const curls = blocks
    .join('\n')
    .split(/(?=^curl )/m)
    .filter((command) => command.startsWith('curl '))
  expect(curls.length).toBeGreaterThan(2)
  for (const command of curls) {
    const { path, body, headers } = parseCurl(command.replaceAll('\n', ' '))
    const response = await fetch(server.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, Authorization: headers.Authorization!.replace('$CORK_KEY', api_key) },
      body,
    })
    const result = await response.json()
    expect([path, response.ok, result]).toEqual([
      path,
      true,
      expect.objectContaining({ success: true }),
    ])
  }
})

test('every npm command of the README exists in package.json', async () => {
  const { scripts } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  for (const [, run, name] of readme.matchAll(/npm (run )?([a-z:]+)/g))
    if (run || ['start', 'test'].includes(name!)) expect(Object.keys(scripts)).toContain(name!)
})
