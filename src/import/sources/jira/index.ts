import { csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { api } from './api.ts'
import { readCsv } from './csv.ts'
import { columnsOf } from './csv-columns.ts'
import { jiraFields } from './fields.ts'
import type { JiraData } from './issue.ts'
import { readJson } from './json.ts'
import { isRecord, listOf } from './json-values.ts'
import { recordsOf } from './records.ts'

export const jira: Source = {
  name: 'jira',
  title: 'Jira',
  accepts:
    'An export of the list of issues as "CSV (all fields)", or the address of a project with a token',
  inFolder: /\.(?:csv|json)$/i,
  fields: jiraFields,
  detects,
  read,
  api,
}

const isCsv = ({ path }: SourceFile) => /\.(?:csv|tsv|txt)$/i.test(path)

const isJson = ({ path }: SourceFile) => /\.json$/i.test(path)

/** Whether this is an answer of the REST API: a description of its fields, or found issues. */
function isAnswer(json: unknown): boolean {
  if (!isRecord(json)) return false
  const [field] = listOf(json.fields)
  const [issue] = listOf(json.issues)
  const isSearch = typeof issue?.key === 'string' && isRecord(issue.fields)
  return isSearch || (typeof field?.id === 'string' && 'clauseNames' in field)
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  const file = files.find(isCsv)
  const answer = files.find(isJson)
  if (!file && answer) return isAnswer(await jsonOf(answer).catch(() => undefined))
  const csv = file && (await csvOf(file).catch(() => undefined))
  const names = new Set(columnsOf(csv?.header ?? []).map(({ group, name }) => group + name))
  const has = (name: string) => names.has(`known${name}`)
  return has('Issue key') && has('Summary') && (has('Issue Type') || has('Issue id'))
}

async function* read(files: readonly SourceFile[], report: Report): AsyncGenerator<ImportRecord> {
  const data: JiraData = { people: new Map(), issues: [], statuses: new Map() }
  for (const file of files.filter(isCsv)) await readCsv(file, data, report)
  await readJson(files.filter(isJson), data, report)
  dropDuplicates(data, report)
  if (!data.issues.length)
    throw new ImportProblem(
      'There are no issues in the file',
      'Export a search that finds issues',
      {
        file: files[0]?.path,
      },
    )
  sortByRank(data)
  yield* recordsOf(data, report)
}

/** Exports in several parts may overlap. */
function dropDuplicates(data: JiraData, report: Report): void {
  const keys = new Set<string>()
  data.issues = data.issues.filter(({ key }) => {
    if (keys.has(key)) report.lose(`Another row of ${key}`, 'The first one is imported')
    const isNew = !keys.has(key)
    keys.add(key)
    return isNew
  })
}

/** The order of the backlog, if all issues have their rank in it. */
function sortByRank(data: JiraData): void {
  if (!data.issues.every(({ rank }) => rank)) return
  data.issues.sort((a, b) => (a.rank! < b.rank! ? -1 : a.rank! > b.rank! ? 1 : 0))
}
