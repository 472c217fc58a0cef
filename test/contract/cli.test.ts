import { expect, test } from 'bun:test'
import { groupsOf } from '../../src/commands/run.ts'
import { flagsOf, usageOf } from '../../src/surfaces/cli/command.ts'
import { silentIO } from '../support/terminal.ts'

const COMMON = ['json', 'help']

test('commands and flags match the snapshot; bun test -u updates it', async () => {
  const groups = await groupsOf(silentIO)
  const summary = groups.map(({ title, commands }) => [
    title,
    Object.entries(commands).map(([name, command]) => {
      const flags = Object.entries(flagsOf(command))
        .filter(([flag, { hidden: isHidden }]) => !isHidden && !COMMON.includes(flag))
        .map(
          ([flag, { hint, required }]) =>
            `--${flag}${hint ? ` ${hint}` : ''}${required ? ' *' : ''}`,
        )
      return { [usageOf(name, command)]: flags.join(', ') }
    }),
  ])
  expect(summary).toMatchSnapshot()
})
