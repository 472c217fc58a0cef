import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { cleanUp, createFolder, runCommand } from '../binary/cork.ts'
import { openClients } from '../clients/support.ts'
import { runOrThrow } from '../support/commands.ts'
import { installPackages } from '../support/python.ts'

const MINUTES = 60_000
const here = (name: string) => join(import.meta.dir, name)
/** Further versions that may be on this machine; `python3` is always tested. */
const VERSIONS = ['python3', 'python3.11', 'python3.12', 'python3.13', 'python3.14']

let clients: Awaited<ReturnType<typeof openClients>>
const environments = new Map<string, string>()
beforeAll(async () => {
  clients = await openClients()
  for (const python of VERSIONS)
    if (await runs(python))
      environments.set(
        python,
        await installPackages(createFolder(), here('requirements.txt'), 'generators', python),
      )
}, 5 * MINUTES)
afterAll(cleanUp)

/** A shim may be there for a version that is not installed. */
async function runs(python: string) {
  if (!Bun.which(python)) return false
  const { code } = await runCommand(
    [python, '-c', 'import sys; assert sys.version_info >= (3, 11)'],
    {
      env: process.env as Record<string, string>,
    },
  )
  return code === 0
}

const runWith = (commands: string, command: string, args: string[]) =>
  runOrThrow([
    'env',
    'PYTHONDONTWRITEBYTECODE=1',
    `PYTHONPATH=${clients.folder}/python`,
    join(commands, command),
    ...args,
  ])

for (const python of VERSIONS)
  test(
    `the Python client works in ${python}, if that is installed`,
    async () => {
      const commands = environments.get(python)
      if (!commands) return expect(python).not.toBe('python3')
      const output = await runWith(commands, 'python', [
        here('walk.py'),
        JSON.stringify(clients.options),
      ])
      expect(JSON.parse(output)).toEqual({
        sync: {
          ...{ type: 'project.created', pages: [50, 10], rows: 60, title: 'Check' },
          ...{ text: 'cargo list', repeated: true, refused: [400, 'title'], retried: [2, 1] },
        },
        async: { type: 'project.created', pages: [50, 10], rows: 60, first: 50 },
        webhook: 'task.assigned',
        forged: true,
      })
    },
    MINUTES,
  )

test(
  'its types accept valid calls and refuse invalid ones',
  async () => {
    const output = await runWith(environments.get('python3')!, 'mypy', [
      ...['--strict', '--cache-dir=/dev/null', here('consumer.py')],
    ])
    expect(output).toStartWith('Success')
  },
  3 * MINUTES,
)
