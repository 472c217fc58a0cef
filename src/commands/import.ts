import { existsSync } from 'node:fs'
import { inBulk } from '../store/bulk.ts'
import { Unusable } from '../store/unusable.ts'
import { check } from '../transfer/check.ts'
import { takeFiles } from '../transfer/files.ts'
import { importTeam } from '../transfer/import.ts'
import { type Command, DATA, progress } from './command.ts'
import { answer, within } from './house.ts'

export const importCommand: Command = {
  summary: 'Take in a team that "cork export" wrote, as a team of its own',
  about:
    'People are known again by their e-mail; others get an account without a password, which "cork user password" gives them. It is checked whole first, and then taken in whole or not at all; a running server’s writers wait meanwhile.',
  example: 'cork import harbour.jsonl --dry-run',
  args: [{ name: 'file', about: 'What "cork export" wrote', required: true }],
  flags: {
    'dry-run': { type: 'boolean', about: 'Only check the file, and say what is in it' },
    data: DATA,
  },
  async run(values) {
    const file = values.file!
    if (!existsSync(file)) throw new Unusable(`There is no file ${file}`)
    const checking = progress('Checking')
    const { counts, team } = await check(file, (lines) => checking.at(lines))
    checking.end(`${counts.task} tasks, ${counts.board} boards, ${counts.person} people`)
    if (values['dry-run'] !== undefined)
      return answer(
        values,
        { ...counts, team: team.name },
        () => `${file} holds the team ${team.name} and could be imported.`,
      )
    const told = progress('Importing', counts.task)
    const made = await within(
      values,
      async ({ where, clock, server, audit }) => {
        if (counts.file) await takeFiles(file, server.files)
        const at = (done: number) => told.at(done)
        const made = await inBulk(where, (tx) => importTeam(tx, file, clock(), at))
        await audit('team.imported', { name: made.team }, made.team_id)
        return made
      },
      { create: true },
    )
    told.end(`${made.tasks} tasks`)
    return answer(
      values,
      made,
      () =>
        `${made.team} is here as team ${made.team_id}: ${made.boards} boards, ${made.tasks} tasks, ${
          made.known.length
        } people who had an account and ${made.created.length} who got one without a password.`,
    )
  },
}
