import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupsOf } from '../../src/commands/run.ts'
import { flagsOf } from '../../src/surfaces/cli/command.ts'
import {
  createTemporaryFolder,
  removeTemporaryFolders,
  silentIO,
  terminal,
} from '../support/terminal.ts'

const file = join(createTemporaryFolder(), 'cork.bash')
const { cork } = terminal(undefined, undefined)
beforeAll(async () => writeFileSync(file, (await cork('completion', 'bash')).out))
afterAll(removeTemporaryFolders)

/** Returns the completions that bash offers at the end of a line. */
function completionsOf(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const script = `source '${file}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _cork; printf '%s\\n' "\${COMPREPLY[@]}"`
  const run = Bun.spawnSync(['bash', '--norc', '-c', script])
  expect(run.stderr.toString()).toBe('')
  return run.stdout.toString().split('\n').filter(Boolean)
}

describe('bash completes', () => {
  test('nouns, verbs and flags', () => {
    expect(completionsOf('cork', 'ta')).toEqual(['tasks'])
    expect(completionsOf('cork', '')).toEqual(
      expect.arrayContaining(['serve', 'tasks', 'login', 'help']),
    )
    expect(completionsOf('cork', 'sections', '').sort()).toEqual([
      ...['create', 'delete', 'get', 'list', 'update'],
    ])
    expect(completionsOf('cork', 'tasks', 'create', '--des')).toEqual([
      '--description',
      '--description-file',
    ])
    expect(completionsOf('cork', 'tasks', 'create', '1', 'Paint', '--prio')).toEqual(['--priority'])
    expect(completionsOf('cork', 'serve', '--po')).toEqual(['--port'])
    expect(completionsOf('cork', 'login', '--t')).toEqual(['--token'])
    expect(completionsOf('cork', 'help', 'tasks', 'cr')).toEqual(['create', 'create-many'])
  })

  test('the choices of a flag', () => {
    expect(completionsOf('cork', 'tasks', 'list', '--status', '')).toEqual([
      ...['Normal', 'Archive', 'Deleted'],
    ])
    expect(completionsOf('cork', 'projects', 'create', 'x', '--access', 'i')).toEqual(['invited'])
  })

  test('nothing for free text and unknown nouns', () => {
    expect(completionsOf('cork', 'tasks', 'create', '1', '')).toEqual([])
    expect(completionsOf('cork', 'tasks', 'create', '--section', '')).toEqual([])
    expect(completionsOf('cork', 'nothing', 'x', '--')).toEqual([])
  })

  test('every flag of every command', async () => {
    const groups = await groupsOf(silentIO)
    for (const { commands } of groups)
      for (const [name, command] of Object.entries(commands)) {
        if (name === 'completion') continue
        const flags = Object.entries(flagsOf(command)).filter(([, { hidden }]) => !hidden)
        const completions = completionsOf('cork', ...name.split(' '), '--')
        expect([name, completions]).toEqual([
          name,
          expect.arrayContaining(flags.map(([flag]) => `--${flag}`)),
        ])
      }
  })
})

test('zsh and fish get a completion script, and other shells are refused', async () => {
  const zsh = await cork('completion', 'zsh')
  expect(zsh.out).toContain('bashcompinit')
  expect(Bun.spawnSync(['bash', '-n', '-c', zsh.out]).exitCode).toBe(0)
  const fish = await cork('completion', 'fish')
  expect(fish.out).toContain("-a create -d 'Create a task on a board'")
  expect(fish.out).toContain('-l due-date -r -d ')
  expect(await cork('completion', 'tcsh')).toMatchObject({ code: 2, out: '' })
  const { out } = await cork('completion', 'bash', '--json')
  expect(JSON.parse(out)).toMatchObject({ shell: 'bash' })
})
