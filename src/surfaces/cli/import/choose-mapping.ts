import { existsSync } from 'node:fs'
import type { Preview } from '../../../import/api.ts'
import type { Mapping } from '../../../import/mapping.ts'
import { parseMapping, proposeMapping } from '../../../import/mapping-file.ts'
import type { Plan } from '../../../import/plan.ts'
import { CommandError } from '../command.ts'
import { save } from '../save.ts'
import type { ImportContext } from './context.ts'
import { mappingText } from './csv-columns.ts'

const NO_PREVIEW: Preview = { import: null, mapping: null, people: [], boards: [] }

/** The mapping of the last import or the default one, changed by `--project` and the file of `--mapping`. */
export async function chooseMapping(
  { io, values }: ImportContext,
  plan: Plan,
  preview: Preview = NO_PREVIEW,
  project_id?: number,
): Promise<Mapping> {
  const proposal = proposeMapping(plan, preview)
  if (project_id !== undefined) moveTo(project_id, proposal)
  const file = values.mapping
  if (file === undefined) return proposal
  const { mapping, unused } = parseMapping(await mappingText(file), plan, proposal, file)
  for (const entry of unused) io.err(`${file}: ${entry} is not in the imported files`)
  return mapping
}

function moveTo(project_id: number, { boards }: Mapping): void {
  for (const board of boards) {
    if (board.project_id !== undefined && board.project_id !== project_id)
      throw new CommandError(
        `"${board.title}" was imported to board ${board.project_id}, and is updated there. Leave out --project`,
      )
    board.project_id = project_id
  }
}

/** Writes the mapping to the file of `--write-mapping`. */
export async function writeMapping(
  { io, values }: ImportContext,
  mapping: Mapping,
): Promise<number> {
  const file = values['write-mapping']!
  if (existsSync(file)) throw new CommandError(`${file} already exists. Name another file`)
  await save(file, new TextEncoder().encode(`${JSON.stringify(mapping, null, 2)}\n`), false)
  io.err(`Edit it, then import with --mapping ${file} instead of --write-mapping.`)
  if (values['dry-run'] === undefined)
    io.out(values.json === undefined ? file : JSON.stringify({ file, mapping }))
  return 0
}
