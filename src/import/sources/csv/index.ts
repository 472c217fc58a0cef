import { csvOf } from '../../csv.ts'
import { type FieldTable, unneeded } from '../../fields.ts'
import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { stemOf } from '../shared/csv-values.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { addRows } from './rows.ts'
import { tableOf } from './table.ts'
import { isTable, tablesIn } from './tables-in.ts'

const fields: FieldTable = {
  title: 'task title (columns Title, Name, Summary, Task, Subject …)',
  description: 'task description (columns Description, Notes, Body, Details …)',
  status: 'column (columns Status, State, List, Column, Section …)',
  priority: 'priority',
  labels: 'labels (columns Labels, Tags, Category …), separated by commas',
  assignees: 'assignees (columns Assignee, Owner, Assigned to …)',
  due: 'due date (columns Due date, Deadline, End date …)',
  start: 'start date',
  created: 'created',
  updated: 'updated',
  completed: 'completed, or column Done if it is yes or no',
  author: 'creator (columns Author, Created by, Reporter …)',
  parent: 'parent task, by its id, key or title',
  id: 'task id',
  key: 'task key',
  url: 'custom field URL',
  estimate: 'estimate, if all values are XS, S, M, L or XL; else a custom field',
  board: 'board (columns Board, Project …)',
  archived: 'archived',
  comment: 'comment',
  blocked_by: 'relation: blocked by that task',
  blocks: 'relation: blocks that task',
  '*': 'custom field with the name of the column; its type is guessed from all values',
  ignored: unneeded('Columns that the mapping leaves out.'),
}

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  const [first] = files.filter(isTable)
  if (!first) return false
  return (await csvOf(first)).rows.length > 0
}

async function* read(
  files: readonly SourceFile[],
  mapping: Readonly<Record<string, string>>,
  report: Report,
): AsyncIterable<ImportRecord> {
  const named = tablesIn(files)
  const [first] = named
  if (!first)
    throw new ImportProblem('There is no CSV file', 'Export the tasks as CSV or TSV', {
      file: files[0]?.path,
    })
  const title = named.length === 1 ? stemOf(first.path) : 'CSV files'
  const id = named.length === 1 ? `csv:${title}` : 'csv'
  const collector = new RecordCollector({ id, title }, report)
  for (const file of named) {
    const table = await tableOf(file, mapping, report)
    addRows(table, mapping, collector, report)
  }
  yield* collector.records()
}

/**
 * A reader of CSV files with some columns that are known: the mapping says for the name of a column
 * which field it is (a name of the table of fields), `field` for a custom field, or `ignore`.
 */
export const csvWith = (mapping: Readonly<Record<string, string>>): Source => ({
  name: 'csv',
  title: 'CSV',
  accepts: 'Any CSV or TSV file with a header; columns are recognized by their names',
  inFolder: /\.(?:csv|tsv|tab)$/i,
  fields,
  columns: mapping,
  detects,
  read: (files, report) => read(files, mapping, report),
})

export const csv: Source = csvWith({})
