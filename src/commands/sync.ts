import { FORMATS } from '../import/sources/formats.ts'
import type { CommandIO } from '../surfaces/cli/io.ts'
import { loadCatalog } from './catalog.ts'
import type { Command } from './command.ts'

export const syncCommand = (io: CommandIO): Command => ({
  summary: 'Keep the task files of a repository and a board in step, both ways',
  about:
    'Compares the files and the board with what both had after the last run, and copies what changed to the other side. What changed differently on both sides is listed as a conflict and stays as it is. The first run imports the files. The exit code is 0 if both sides are in step, and 3 if there are conflicts.',
  example: 'cork sync backlog . --project HOM',
  args: [
    { name: 'source', about: `The tool: ${Object.keys(FORMATS).join(', ')}`, required: true },
    { name: 'folder', about: 'The repository, or the folder of the tool', required: true },
  ],
  flags: {
    project: { type: 'string', hint: 'BOARD', about: 'Board: number, key or title' },
    team: { type: 'string', hint: 'TEAM', about: 'Team of a new board: number, UUID or name' },
    prefer: {
      type: 'string',
      hint: 'board|files',
      about: 'The side that wins conflicts',
      choices: ['board', 'files'],
    },
    'dry-run': { type: 'boolean', about: 'Only show what would change' },
  },
  async run(values) {
    const { syncFiles } = await import('../surfaces/cli/sync/index.ts')
    return syncFiles({ catalog: await loadCatalog(), io, values })
  },
})
