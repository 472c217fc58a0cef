import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupsOf } from '../../src/commands/run.ts'
import { flagsOf } from '../../src/surfaces/cli/command.ts'
import { nowhere, settings, sweep, terminal } from '../terminal.ts'

const file = join(settings(), 'cork.bash')
const { cork } = terminal(undefined, undefined)
beforeAll(async () => writeFileSync(file, (await cork('completion', 'bash')).out))
afterAll(sweep)

/** What bash offers at the end of a line. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const script = `source '${file}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _cork; printf '%s\\n' "\${COMPREPLY[@]}"`
  const run = Bun.spawnSync(['bash', '--norc', '-c', script])
  expect(run.stderr.toString()).toBe('')
  return run.stdout.toString().split('\n').filter(Boolean)
}

describe('bash completes', () => {
  test('nouns, verbs and flags', () => {
    expect(offered('cork', 'ta')).toEqual(['tasks'])
    expect(offered('cork', '')).toEqual(expect.arrayContaining(['serve', 'tasks', 'login', 'help']))
    expect(offered('cork', 'sections', '').sort()).toEqual([
      ...['create', 'delete', 'get', 'list', 'update'],
    ])
    expect(offered('cork', 'tasks', 'create', '--des')).toEqual([
      '--description',
      '--description-file',
    ])
    expect(offered('cork', 'tasks', 'create', '1', 'Paint', '--prio')).toEqual(['--priority'])
    expect(offered('cork', 'serve', '--po')).toEqual(['--port'])
    expect(offered('cork', 'login', '--t')).toEqual(['--token'])
    expect(offered('cork', 'help', 'tasks', 'cr')).toEqual(['create'])
  })

  test('the choices of a flag', () => {
    expect(offered('cork', 'tasks', 'list', '--status', '')).toEqual([
      ...['Normal', 'Archive', 'Deleted'],
    ])
    expect(offered('cork', 'projects', 'create', 'x', '--access', 'i')).toEqual(['invited'])
  })

  test('nothing for free text and unknown nouns', () => {
    expect(offered('cork', 'tasks', 'create', '1', '')).toEqual([])
    expect(offered('cork', 'tasks', 'create', '--section', '')).toEqual([])
    expect(offered('cork', 'nothing', 'x', '--')).toEqual([])
  })

  test('every flag of every command', async () => {
    const groups = await groupsOf(nowhere)
    for (const { commands } of groups)
      for (const [name, command] of Object.entries(commands)) {
        if (name === 'completion') continue
        const flags = Object.entries(flagsOf(command)).filter(([, { hidden: untold }]) => !untold)
        const all = offered('cork', ...name.split(' '), '--')
        expect([name, all]).toEqual([
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
