import { lost } from '../../src/import/fields.ts'
import type { Attachment, ImportRecord, Task } from '../../src/import/record.ts'
import { type Source, type SourceFile, textFile } from '../../src/import/source.ts'
import { jsonOf } from '../../src/import/text.ts'

/** A source whose files contain records in JSON, and the text of attached files. */
export const recordsSource: Source = {
  name: 'records',
  title: 'Records',
  accepts: 'a file records.json',
  inFolder: /(^|\/)records\.json$/,
  fields: {
    ...{ origin: 'the import', person: 'person', board: 'board', task: 'task', note: 'nothing' },
    ...{ comment: 'comment', time_entry: 'time', attachment: 'file', relation: 'relation' },
    'task.mood': lost('tasks have no mood'),
  },
  detects: async (files) => files.some(({ path }) => path.endsWith('records.json')),
  async *read([file], report) {
    for (const record of (await jsonOf(file!)) as TestRecord[]) {
      report.fields.add(record)
      if ('note' in record) report.lose(record.note, 'notes have no place')
      else if ('attachment' in record) yield { attachment: withBytes(record.attachment) }
      else if ('task' in record) {
        const { mood: _, ...task } = record.task
        yield { task }
      } else yield record
    }
  },
}

export type TestRecord =
  | Exclude<ImportRecord, { attachment: unknown } | { task: unknown }>
  | { task: Task & { mood?: string } }
  | { attachment: Attachment & { text?: string } }
  | { note: string }

function withBytes({ text, ...attachment }: Attachment & { text?: string }): Attachment {
  if (text === undefined) return attachment
  return { ...attachment, bytes: async () => new TextEncoder().encode(text) }
}

export const recordsFile = (records: readonly TestRecord[]): SourceFile =>
  textFile('records.json', JSON.stringify(records))

export const origin = { origin: { id: 'harbour', title: 'Harbour' } }

export const person = (id: string, name: string, email?: string) => ({
  person: { id, name, ...(email && { email }) },
})

export const board = (id: string, title: string, more: object = {}) => ({
  board: {
    ...{ id, title, labels: [{ name: 'boat' }], fields: [] },
    columns: [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done', done: true }],
    ...more,
  },
})

export const task = (id: string, title: string, more: Partial<Task & { mood: string }> = {}) => ({
  task: { id, board: 'docks', column: 'To do', title, ...more },
})

/** Two boards with everything that a source can have. */
export const harbour: TestRecord[] = [
  origin,
  person('ana', 'Ana', 'ana@harbour.example'),
  person('ben', 'Ben'),
  person('olga', 'Olga'),
  board('docks', 'Docks', {
    key: 'DOCK',
    fields: [
      { name: 'Points', type: 'number' },
      { name: 'Tide', type: 'select', options: ['High', 'Low'] },
    ],
  }),
  board('office', 'Office'),
  task('1', 'Paint the hull', {
    ...{ key: 'DOCK-1', parent: '3', priority: 'Highest', labels: ['boat'], assignees: ['ana'] },
    ...{ fields: [{ name: 'Points', value: 3 }], due_date: '2026-12-01', mood: 'calm' },
  }),
  { comment: { id: 'c1', task: '1', author: 'ben', text: 'In blue' } },
  { comment: { id: 'c2', task: '1', text: 'Or red', reply_to: 'c1' } },
  { note: 'A sticky note' },
  task('2', 'Order paint', {
    ...{ priority: 'Later', description: 'For [the hull](task:1) and [the rest](task:3)' },
    ...{ created_by: 'ana', content_type: 'markdown' as const },
  }),
  { time_entry: { id: 't1', task: '2', who: 'ana', minutes: 30, day: '2026-11-02' } },
  { attachment: { id: 'f1', task: '2', filename: 'offer.txt', created_by: 'ben', text: 'Blue' } },
  task('3', 'Repair the boat', { column: 'Done', priority: 3 }),
  task('4', 'Pay the invoice', { board: 'office', assignees: ['olga'] }),
  { attachment: { id: 'f2', task: '4', filename: 'a.pdf', url: 'https://harbour.example/a.pdf' } },
  { relation: { kind: 'blocks', first: '2', second: '1' } },
  { relation: { kind: 'related', first: '1', second: '4' } },
]
