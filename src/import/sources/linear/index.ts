import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { headerOf } from '../shared/csv-header.ts'
import { isObject } from '../shared/json.ts'
import { api } from './api.ts'
import { readCsv } from './csv.ts'
import { linearFields } from './fields.ts'
import type { LinearData } from './issue.ts'
import { nodesOf, readJson } from './json.ts'
import { collect } from './records.ts'

export const linear: Source = {
  name: 'linear',
  title: 'Linear',
  accepts: 'A CSV export of a workspace or team, or the address of a team with an API key',
  inFolder: /\.(?:csv|json)$/i,
  fields: linearFields,
  detects,
  read,
  api,
}

const isCsv = ({ path }: SourceFile) => /\.(?:csv|tsv|txt)$/i.test(path)

const isJson = ({ path }: SourceFile) => /\.json$/i.test(path)

/** Whether this is an answer of the API: teams with their statuses, or issues. */
function isAnswer(json: unknown): boolean {
  if (!isObject(json)) return false
  const [team] = nodesOf(json.teams)
  const [issue] = nodesOf(json.issues)
  return isObject(team?.states) || (typeof issue?.identifier === 'string' && isObject(issue.state))
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  const file = files.find(isCsv)
  const answer = files.find(isJson)
  if (!file && answer) return isAnswer(await jsonOf(answer))
  const header = file ? await headerOf(file) : []
  return ['ID', 'Team', 'Title', 'Status'].every((name) => header.includes(name))
}

async function* read(files: readonly SourceFile[], report: Report): AsyncGenerator<ImportRecord> {
  const data: LinearData = { people: new Map(), teams: new Map(), issues: [] }
  for (const file of files.filter(isCsv)) await readCsv(file, data, report)
  await readJson(files.filter(isJson), data, report)
  dropDuplicates(data, report)
  if (!data.issues.length)
    throw new ImportProblem('There are no issues in the file', 'Export a team that has issues', {
      file: files[0]?.path,
    })
  yield* collect(data, report).records()
}

/** Exports of several views may overlap. */
function dropDuplicates(data: LinearData, report: Report): void {
  const ids = new Set<string>()
  data.issues = data.issues.filter(({ id }) => {
    const isNew = !ids.has(id)
    if (!isNew) report.lose(`Another row of ${id}`, 'The first one is imported')
    ids.add(id)
    return isNew
  })
}
