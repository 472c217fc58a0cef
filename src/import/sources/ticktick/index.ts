import { parseCsv } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf, textOf } from '../../text.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { ticktickFields } from './fields.ts'
import { BackupReader } from './rows.ts'

const HEADER = /^\uFEFF?"?(?:Folder Name"?,"?)?List Name"?,"?Title"?,/m
const isCsv = ({ path }: SourceFile) => /\.csv$/i.test(path)

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  const [first] = files.filter(isCsv)
  return first !== undefined && HEADER.test((await beginningOf(first)).slice(0, 4000))
}

async function* read(files: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord> {
  const collector = new RecordCollector({ id: 'ticktick', title: 'TickTick' }, report)
  const named = files.length === 1 ? files : files.filter(isCsv)
  for (const file of named) {
    const text = await textOf(file)
    const start = HEADER.exec(text)?.index
    if (start === undefined)
      throw new ImportProblem(
        'The columns List Name and Title are missing',
        'Create a backup again: Settings > Account > Generate Backup',
        { file: file.path, line: 1 },
      )
    new BackupReader(parseCsv(text.slice(start), file.path, ','), collector, report).read()
  }
  yield* collector.records()
}

export const ticktick: Source = {
  name: 'ticktick',
  title: 'TickTick',
  accepts: 'The backup of TickTick (CSV), from Settings > Account > Generate Backup',
  fields: ticktickFields,
  detects,
  read,
}
