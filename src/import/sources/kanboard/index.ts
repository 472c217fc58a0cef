import { ImportProblem } from '../../problem.ts'
import type { Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { type Json, objectOf } from '../shared/json.ts'
import { api, PROJECT_FILE } from './api.ts'
import { csvProject, isTaskExport } from './csv-project.ts'
import { fields } from './fields.ts'
import { readProject } from './read-project.ts'

export const kanboard: Source = {
  name: 'kanboard',
  title: 'Kanboard',
  accepts:
    'The address of a board with KANBOARD_TOKEN=USER:TOKEN, ' +
    'or the CSV of a project (project menu › Exports › Tasks)',
  inFolder: /(^|\/)[^/]+\.csv$/i,
  fields,
  api,

  async detects(files) {
    for (const file of files) if (await isProject(file)) return true
    return false
  },

  async *read(files, report) {
    const json = files.find(({ path }) => path === PROJECT_FILE)
    const exports = files.filter(({ path }) => /\.csv$/i.test(path))
    const [file] = exports
    let document: Json
    if (json) {
      document = objectOf(await jsonOf(json))
      report.fields.add(document)
    } else if (file && exports.length === 1) document = await csvProject(file, report)
    else
      throw new ImportProblem(
        file ? `There are ${exports.length} CSV files` : 'There is no CSV file',
        'Import the task export of one project at a time',
        { file: exports[1]?.path },
      )
    yield* readProject(document, files, report)
  },
}

async function isProject(file: SourceFile): Promise<boolean> {
  if (file.path === PROJECT_FILE) return true
  if (!/\.csv$/i.test(file.path)) return false
  const start = new TextDecoder().decode((await file.bytes()).subarray(0, 16_384))
  return isTaskExport(start.split('\n').slice(0, 2).join('\n'))
}
